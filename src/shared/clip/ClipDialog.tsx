import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'

import { toPagePath } from '#contract/report-blocks/chart-blocks.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { createReport, type ReportWithBody } from '#contract/reports.ts'
import { citedInsightOptions } from '#src/api/cited-insights.ts'
import { clipIntoReport } from '#src/api/clips.ts'
import { reportCreator } from '#src/api/reports.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { FigurePagesContext, findFigurePage } from '#src/shared/figures/figure-pages.ts'
import { PageFigure } from '#src/shared/figures/PageFigure.tsx'
import { useRecorder } from '#src/shared/figures/pinned/use-recorder.ts'
import { liveFigure } from '#src/shared/insight-figures/live-figure.ts'
import { pin } from '#src/shared/insight-figures/pinned-result.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { FigureBody } from '#src/shared/insight-figures/FigureBody.tsx'
import formParts from '#src/ui/form-parts.module.css'
import classes from './ClipDialog.module.css'
import { type ClipForm, clipMarkdown, insightBlock, insightOf } from './clip-markdown.ts'
import type { RequestedClip } from './clip-requests.ts'
import { RecentReports } from './RecentReports.tsx'

const labels: Record<ClipForm, string> = {
  figure: 'Live figure',
  pinned: 'Pinned figure',
  text: 'Text snapshot',
}

/** What becomes of each format when there are new runs. */
const meanings: Record<ClipForm, string> = {
  figure: 'Follows new runs: readers see the figure as it is when they open the report.',
  pinned: 'Keeps the data of now, and says when newer runs have changed it.',
  text: 'Adds the text below, which never changes.',
}

/** Asks which report to add a clip to, and in which format, then links to it. */
export function ClipDialog({ clip, onClose }: { clip: RequestedClip; onClose: () => void }) {
  const isDrawn = findFigurePage(use(FigurePagesContext), clip.path) !== undefined
  const insight = insightOf(clip.path)
  const forms: ClipForm[] = isDrawn || insight !== null ? ['figure', 'pinned', 'text'] : ['figure', 'text']
  const [clipForm, setClipForm] = useState<ClipForm>(clip.hasFigure ? 'figure' : 'text')
  const recorder = useRecorder()
  const client = useQueryClient()
  const pinned = useRef<string>(undefined)
  const pinOnce = async () => {
    if (insight === null) return clipMarkdown(clip, 'pinned', await recorder.pin(toPagePath(clip.path)))
    const live = liveFigure(await client.fetchQuery(citedInsightOptions(insight)))
    if (!live) throw new Error('This insight has no result to pin.')
    return formatInsightBlock(pin(insightBlock(clip, insight), live, new Date().toISOString()))
  }
  /** Pins the figure once, so that trying again sends the same clip. */
  const write = async () =>
    clipForm === 'pinned' ? (pinned.current ??= await pinOnce()) : clipMarkdown(clip, clipForm)
  const [create] = useState(reportCreator)
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
      return create({ ...report, bodyMarkdown: await write() })
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
            <Link to={paths.editReport(done.report.id)} onClick={onClose} className={classes.link}>
              {done.report.title}
            </Link>
          </output>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      ) : (
        <div className={formParts.form} aria-busy={isPending}>
          {clip.hasFigure && (
            <div>
              <SegmentedControl
                size="xs"
                aria-label="Clip format"
                data={forms.map((value) => ({ value, label: labels[value] }))}
                value={clipForm}
                onChange={setClipForm}
              />
              <p className={classes.meaning}>{meanings[clipForm]}</p>
            </div>
          )}
          {clipForm !== 'text' && (isDrawn || insight !== null) ? (
            <section className={classes.figure} aria-label="Figure to add">
              {insight !== null ? (
                <ClippedInsight insight={insight} />
              ) : (
                <QueryClientProvider client={recorder}>
                  <PageFigure path={clip.path} />
                </QueryClientProvider>
              )}
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
    <TextInput
      label="Or create a report"
      placeholder="Title"
      {...form.getInputProps('title')}
      error={form.errors['title'] && form.values.title.trim() === '' ? 'Enter a title' : form.errors['title']}
    />
    <Button type="submit" loading={form.isPending} disabled={isBlocked}>
      Create with this clip
    </Button>
  </form>
)

/** A saved insight as a report would show it. */
function ClippedInsight({ insight }: { insight: string }) {
  const { data, error, refetch } = useQuery(citedInsightOptions(insight))
  const live = useMemo(() => data && liveFigure(data), [data])
  if (error) return <ErrorNotice title="The insight could not be shown" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return live ? <FigureBody content={live.content} /> : <p role="note">This insight has no result.</p>
}
