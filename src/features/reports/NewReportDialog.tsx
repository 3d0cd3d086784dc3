import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'

import { ReportDescription, ReportTitle } from '#contract/reports.ts'
import { fieldFault, canRetry } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { createReportOnce } from '#src/api/reports.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './reports.module.css'

/** Open while the URL has `new`. */
export function NewReportDialog() {
  const url = useQueryState()
  return (
    <Modal opened={url.one('new') !== ''} onClose={() => url.push({ new: null })} title="New report">
      <NewReportForm />
    </Modal>
  )
}

function NewReportForm() {
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const creating = useMutation({
    mutationFn: (triedBy: string | undefined) =>
      createReportOnce({ title, ...(description.trim() !== '' && { description }), triedBy }),
    onSuccess: ({ report }) => navigate(paths.report(report.id), { replace: true }),
  })
  const titleFault = wasSent ? ReportTitle.safeParse(title).error?.issues[0]?.message : undefined
  const descriptionFault = ReportDescription.safeParse(description).error?.issues[0]?.message
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    // After a network or server failure the report may or may not exist.
    const triedBy = creating.variables ?? (canRetry(creating.error) ? caller.actor.id : undefined)
    if (ReportTitle.safeParse(title).success && !descriptionFault) creating.mutate(triedBy)
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <TextInput
        label="Title"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={titleFault ?? fieldFault(creating.error, 'title')}
        data-autofocus
      />
      <Textarea
        label="Description"
        description="Optional. One paragraph, shown in the list."
        autosize
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={descriptionFault ?? fieldFault(creating.error, 'description')}
      />
      {creating.error && <ErrorNotice title="Couldn’t create the report" error={creating.error} />}
      <Button type="submit" loading={creating.isPending} className={classes.verb}>
        Create report
      </Button>
    </form>
  )
}
