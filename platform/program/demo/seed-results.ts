import { anchorOf, paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { ResultTable } from '#contract/queries.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { createInsight } from '#platform/results/insights/create-insight.ts'
import { getInsight } from '#platform/results/insights/get-insight.ts'
import { shareInsight } from '#platform/results/insights/sharing/share-insight.ts'
import { formatTitles } from '#contract/import-formats.ts'
import type { RunDirectory } from '#platform/program/import-formats/terminal-bench/find-run-directories.ts'
import { importFrom } from '#platform/program/imports/results/import-results.ts'
import { sourceOf } from '#platform/program/imports/results/result-source.ts'
import { requestIdOf } from '#platform/program/imports/results/write-batches.ts'
import { runsOfDirectories, terminalBench } from '#platform/program/import-formats/terminal-bench/terminal-bench.ts'
import { listVersions } from '#platform/inputs/experiments/list-versions.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { replyToThread } from '#platform/results/report-comments/reply-to-thread.ts'
import { startThread } from '#platform/results/report-comments/start-thread.ts'
import { createReport } from '#platform/results/reports/create-report.ts'
import { demoDiscussion, demoReport, writeDemoReport } from './demo-report.ts'
import { makeOnce } from './make-once.ts'
import { figuresExperiment, savedQueries } from './saved-queries.ts'
import { findItem, insertItem } from './store.ts'

const about = {
  name: 'Terminal-Bench, published figures',
  description:
    'Demo data: outcomes per task and submission, as published on the Terminal-Bench leaderboard (terminal-bench-core 0.1.1). The agents ran elsewhere.',
}

/** Imports the published figures. The import itself continues after a kill, so only its end is recorded. */
export async function seedPublishedFigures(
  context: Context,
  { signal, readFigures }: { signal: AbortSignal; readFigures: () => Promise<RunDirectory[]> },
) {
  const organizationId = context.organization.id
  if (await findItem(context.db, { organizationId, kind: 'version', name: figuresExperiment })) return
  const directories = await readFigures()
  // First, so that removing an unfinished demo finds the requests.
  for (const directory of directories)
    await makeOnce(context, { kind: 'request', name: `${figuresExperiment} ${directory.path}` }, () =>
      Promise.resolve({ itemId: requestIdOf(organizationId, figuresExperiment, directory) }),
    )
  await makeOnce(context, { kind: 'experiment', name: figuresExperiment }, () =>
    Promise.resolve({ itemId: figuresExperiment }),
  )
  const onProgress = () => signal.throwIfAborted()
  const source = sourceOf(formatTitles[terminalBench.id], () => runsOfDirectories(directories))
  await importFrom(context, source, { experimentId: figuresExperiment, about, onProgress })
  await makeOnce(context, { kind: 'version', name: figuresExperiment }, async (inside) => {
    const { versions } = await listVersions(inside, { id: figuresExperiment })
    return { itemId: versions[0]?.fingerprint ?? '' }
  })
}

export async function seedSavedQueries(context: Context) {
  for (const { name, isPublished, insight } of savedQueries)
    await makeOnce(context, { kind: 'insight', name }, async (inside) => {
      const saved = await createInsight(inside, insight)
      if (isPublished) await shareInsight(inside, { ref: name })
      return { itemId: saved.insight.id, state: saved.insight.updatedAt }
    })
}

/** The report pins a result of the published figures, so they must be in the analytics engine. */
export async function seedReport(context: Context, member: Context | null) {
  const key = { kind: 'report', name: 'report' } as const
  if (await findItem(context.db, { organizationId: context.organization.id, ...key })) return
  await projectRuns(context, context.organization.id)
  const view = await getInsight(context, { ref: 'demo-solved-by-submission', sqlOnly: false })
  if (!(view instanceof SerializedBody)) throw new Error('The saved query of the demo has no result')
  const bodyMarkdown = writeDemoReport({ at: await clockNow(context.db), table: ResultTable.parse(view.text.read()) })
  await makeOnce(context, key, async (inside) => {
    const { report } = await createReport(inside, { ...demoReport, bodyMarkdown })
    if (member) await discuss(inside, { ...member, db: inside.db }, { reportId: report.id, bodyMarkdown })
    return { itemId: report.id, state: report.updatedAt }
  })
}

/** Two people comment on the first figure of the report. */
async function discuss(
  admin: Context,
  member: Context,
  { reportId, bodyMarkdown }: { reportId: string; bodyMarkdown: string },
) {
  const paragraph = paragraphsOf(bodyMarkdown).find(({ text }) => text.startsWith(demoDiscussion.on))
  if (!paragraph) throw new Error('The demo report has no paragraph to comment on')
  const { id: threadId } = await startThread(member, {
    reportId,
    ...anchorOf(paragraph),
    text: demoDiscussion.question,
  })
  const { comments } = await replyToThread(admin, { reportId, threadId, text: demoDiscussion.answer })
  for (const [place, { id: itemId }] of comments.entries()) {
    const name = `comment ${place + 1}`
    await insertItem(admin.db, {
      organizationId: admin.organization.id,
      kind: 'comment',
      name,
      itemId,
      state: null,
    })
  }
}
