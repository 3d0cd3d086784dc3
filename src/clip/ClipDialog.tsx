import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { type Clip, formatClip } from '#contract/report-blocks/clips.ts'
import { createReport, type ReportWithBody } from '#contract/reports.ts'
import { clipIntoReport } from '#src/api/clips.ts'
import { createReportOnce } from '#src/api/reports.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import classes from './ClipDialog.module.css'
import { RecentReports } from './RecentReports.tsx'

/** Asks which report to add a clip to, then links to it. */
export function ClipDialog({ clip, onClose }: { clip: Clip; onClose: () => void }) {
  const [markdown] = useState(() => formatClip(clip))
  const [done, setDone] = useState<ReportWithBody | null>(null)
  const adding = useMutation({
    mutationFn: (reportId: string) => clipIntoReport(reportId, markdown),
    onSuccess: setDone,
  })
  const form = useForm({
    initialValues: { title: '' },
    schema: createReport.body,
    toBody: ({ title }) => ({ title, bodyMarkdown: markdown }),
    send(report) {
      adding.reset()
      return createReportOnce(report)
    },
    onSent: (report) => setDone(report),
  })
  const add = (reportId: string) => {
    form.clearFailure()
    adding.mutate(reportId)
  }
  const error = form.failure ?? adding.error
  const isPending = form.isPending || adding.isPending
  return (
    <Dialog opened onClose={onClose} title="Clip to report">
      {done ? (
        <div className={classes.receipt}>
          <output>
            Added to{' '}
            <Link to={paths.report(done.report.id)} onClick={onClose} className={classes.link}>
              {done.report.title}
            </Link>
          </output>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      ) : (
        <div className={classes.form} aria-busy={isPending}>
          <pre className={classes.quote} aria-label="Text to add">
            {clip.quote}
          </pre>
          {error && <ErrorNotice title="The clip may not have been added; check the report" error={error} />}
          <RecentReports isPending={isPending} chosen={adding.isPending ? adding.variables : null} onChoose={add} />
          <NewReport form={form} isBlocked={adding.isPending} />
        </div>
      )}
    </Dialog>
  )
}

/** Creates a report that starts with the clip. */
const NewReport = ({ form, isBlocked }: { form: Form<{ title: string }>; isBlocked: boolean }) => (
  <form className={classes.new} onSubmit={form.submit} noValidate>
    <TextInput label="Or create a report" placeholder="Title" {...form.getInputProps('title')} />
    <Button type="submit" loading={form.isPending} disabled={isBlocked}>
      Create with this clip
    </Button>
  </form>
)
