import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'

import { ReportTitle } from '#contract/reports.ts'
import classes from './ClipDialog.module.css'

type Props = { fault: string | undefined; isPending: boolean; onBegin: (title: string) => void }

/** Creates a report that starts with the clip. */
export function NewReportField({ fault, isPending, onBegin }: Props) {
  const [title, setTitle] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const own = wasSent ? ReportTitle.safeParse(title).error?.issues[0]?.message : undefined
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (ReportTitle.safeParse(title).success) onBegin(title.trim())
  }
  return (
    <form className={classes.new} onSubmit={send} noValidate>
      <TextInput
        label="Or create a report"
        placeholder="Title"
        value={title}
        error={own ?? fault}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Button type="submit" loading={isPending}>
        Create with this clip
      </Button>
    </form>
  )
}
