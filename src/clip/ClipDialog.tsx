import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'
import { Link } from 'react-router'

import { toPagePath } from '#contract/report-blocks/chart-blocks.ts'
import { createReport, type ReportWithBody } from '#contract/reports.ts'
import { clipIntoReport } from '#src/api/clips.ts'
import { createReportOnce } from '#src/api/reports.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { FigurePagesContext, findFigurePage } from '#src/figures/figure-pages.ts'
import { PageFigure } from '#src/figures/PageFigure.tsx'
import { useRecorder } from '#src/figures/pinned/use-recorder.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import classes from './ClipDialog.module.css'
import { type ClipForm, clipMarkdown } from './clip-markdown.ts'
import type { RequestedClip } from './clip-requests.ts'
import { RecentReports } from './RecentReports.tsx'

const labels: Record<ClipForm, string> = {
  figure: 'Live figure',
  pinned: 'Pinned figure',
  text: 'Text snapshot',
}

/** Asks which report to add a clip to, and in which format, then links to it. */
export function ClipDialog({ clip, onClose }: { clip: RequestedClip; onClose: () => void }) {
  const isDrawn = findFigurePage(use(FigurePagesContext), clip.path) !== undefined
  const forms: ClipForm[] = isDrawn ? ['figure', 'pinned', 'text'] : ['figure', 'text']
  const [clipForm, setClipForm] = useState<ClipForm>(clip.hasFigure ? 'figure' : 'text')
  const recorder = useRecorder()
  const pinnedId = useRef<string>(undefined)
  /** Pins the figure once, so that trying again sends the same clip. */
  const write = async () => {
    if (clipForm === 'pinned') pinnedId.current ??= await recorder.pin(toPagePath(clip.path))
    return clipMarkdown(clip, clipForm, pinnedId.current)
  }
  const [done, setDone] = useState<ReportWithBody | null>(null)
  const adding = useMutation({
    mutationFn: async (reportId: string) => clipIntoReport(reportId, await write()),
    onSuccess: setDone,
  })
  const form = useForm({
    initialValues: { title: '' },
    schema: createReport.body,
    toBody: ({ title }) => ({ title, bodyMarkdown: clipMarkdown(clip, clipForm) }),
    async send(report) {
      adding.reset()
      return createReportOnce({ ...report, bodyMarkdown: await write() })
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
    <Dialog opened onClose={onClose} title="Clip to report" size={clip.hasFigure ? 'xl' : 'md'}>
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
          {clip.hasFigure && (
            <SegmentedControl
              size="xs"
              className={classes.forms}
              aria-label="Clip format"
              data={forms.map((value) => ({ value, label: labels[value] }))}
              value={clipForm}
              onChange={setClipForm}
            />
          )}
          {clipForm !== 'text' && isDrawn ? (
            <section className={classes.figure} aria-label="Figure to add">
              <QueryClientProvider client={recorder}>
                <PageFigure path={clip.path} />
              </QueryClientProvider>
            </section>
          ) : (
            <pre className={classes.quote} aria-label="Text to add">
              {clip.quote}
            </pre>
          )}
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
