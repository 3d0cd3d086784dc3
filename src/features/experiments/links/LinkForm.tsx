import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'

import { NewResource } from '#contract/resources.ts'
import { fieldFault } from '#src/api/errors.ts'
import { ErrorNotice, type Failure } from '#src/ui/ErrorNotice.tsx'
import classes from './links.module.css'

type Props = {
  /** What the form is for: "Add link". */
  label: string
  verb: string
  start: NewResource
  error: (Error & Failure) | null
  pending: boolean
  onSubmit: (link: NewResource) => void
  onCancel: () => void
}

const focus = (input: HTMLInputElement | null) => input?.focus()

/** Title and address of one link; Enter saves, Escape leaves. */
export function LinkForm({ label, verb, start, error, pending, onSubmit, onCancel }: Props) {
  const [link, setLink] = useState(start)
  const [wasSent, setWasSent] = useState(false)
  const checked = NewResource.safeParse(link)
  const fault = (field: 'title' | 'url') =>
    (wasSent && checked.error?.issues.find(({ path }) => path[0] === field)?.message) ||
    (error && fieldFault(error, field))
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (checked.success) onSubmit(checked.data)
  }
  const leaveOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
  }
  return (
    <form aria-label={label} className={classes.form} onSubmit={send} noValidate>
      <TextInput
        ref={focus}
        size="xs"
        label="Title"
        value={link.title}
        onChange={(event) => setLink({ ...link, title: event.currentTarget.value })}
        onKeyDown={leaveOnEscape}
        error={fault('title')}
      />
      <TextInput
        size="xs"
        type="url"
        label="Address"
        placeholder="https://"
        value={link.url}
        onChange={(event) => setLink({ ...link, url: event.currentTarget.value })}
        onKeyDown={leaveOnEscape}
        error={fault('url')}
      />
      {error && !fault('title') && !fault('url') && <ErrorNotice title="The link was not saved" error={error} />}
      <div className={classes.verbs}>
        <Button variant="default" onClick={onCancel}>
          Close
        </Button>
        <Button type="submit" loading={pending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
