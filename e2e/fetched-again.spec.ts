import { ChartPoints } from '#contract/chart-runs.ts'
import { ChartKind, chartReference } from '#contract/chart-kinds.ts'
import { formatChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { executeInsight } from '#contract/insights.ts'
import { createReport } from '#contract/reports.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { atLength } from '#tools/test-length.ts'
import { allPages } from './all-pages.ts'
import { callAs } from './call-as.ts'
import { type Page, expect, test, waitUntilNothingRuns } from './fixtures.ts'
import { type Seen, makeSeen } from './make-seen.ts'
import { watchPage } from './watch-page.ts'

/** Every view of results, and each that draws a score. */
const views = [
  'view=leaderboard',
  'as=chart&metric=score:mark',
  'view=trends',
  'view=trends&over=time&metric=score:mark',
  'view=failures&find=the',
  'view=heatmap',
  'view=heatmap&as=table&test=ends&test_group=talks',
  'view=scatter&as=table',
  'view=scatter&quality=score:mark&against=wallSeconds',
  'view=metric&metric=wallSeconds',
  'view=metric&metric=score:mark&as=table',
  'view=compare',
  'view=compare&by=version',
  'view=compare&among=two&measure=score:mark',
  'view=flaky',
]

/** Pages that allPages does not have, because they look like others. */
const morePages: Record<string, (seen: Seen) => string> = {
  ...Object.fromEntries(views.map((view) => [view, resultsPage(`${view}&group_by=agent`)])),
  review: () => '/review',
  'agreement of reviewers': () => '/review?view=agreement',
  'all schedules': () => '/schedules',
  'SQL reference': () => '/docs/sql',
  insight: ({ experiment }) => `/insights/${encodeURIComponent(chartReference(experiment, 'tests'))}`,
  'history of a report': ({ report }) => `/reports/${report}/history`,
  'tests of a request': ({ request }) => `/runs/${request}?view=tests`,
}

function resultsPage(search: string) {
  return ({ experiment }: Pick<Seen, 'experiment'>) => `/experiments/${experiment}/results?${search}`
}

/** They show an error on purpose, or never fetch anything again. */
const others = new Set([
  'query that cannot run',
  'no such page',
  'join with a broken link',
  'join, signed in as somebody else',
])

/** The pages that broke. */
const brief = new Set([
  'view=compare',
  'view=compare&by=version',
  'view=compare&among=two&measure=score:mark',
  'report of all figures, read',
])
const isWalked = atLength(
  (name: string) => brief.has(name),
  (name: string) => !others.has(name),
)

const tabsAtOnce = atLength(4, 8)

/** Longer than any answer counts as fresh that can change. */
const staleMs = 40_000

test('no page breaks while its answers become stale, are fetched again and differ', async ({ page, context }) => {
  test.setTimeout(900_000)
  await waitUntilNothingRuns(context)
  const seen = await makeSeen(page)
  const report = await reportOfAllFigures(page, seen)
  const addresses = Object.entries<(seen: Seen) => string>({
    ...morePages,
    'report of all figures': () => `/reports/${report}?edit=1`,
    'report of all figures, read': () => `/reports/${report}/read`,
    ...allPages,
  }).filter(([name]) => isWalked(name))
  // The clock of all tabs.
  await context.clock.install()
  const tabs = await Promise.all(Array.from({ length: tabsAtOnce }, async () => watchPage(await context.newPage())))
  const faults: string[] = []
  const unchanged: string[] = []
  while (addresses.length > 0) {
    const opened = tabs.flatMap((tab) => {
      const [name, addressOf] = addresses.shift() ?? []
      return name && addressOf ? [{ name, path: addressOf(seen), tab }] : []
    })
    await Promise.all(opened.map(({ path, tab }) => tab.open(path)))
    await addRun(page, seen.experiment)
    const changed = new Set<string>()
    for (let times = 0; times < 2; times += 1) {
      await context.clock.fastForward(staleMs)
      const isChanged = await Promise.all(opened.map(({ tab }) => tab.fetchAgain()))
      for (const [place, { name }] of opened.entries()) if (isChanged[place]) changed.add(name)
    }
    unchanged.push(...opened.map(({ name }) => name).filter((name) => !changed.has(name)))
    for (const { name, tab } of opened) faults.push(...(await tab.faults()).map((fault) => `${name}: ${fault}`))
  }
  expect(faults).toEqual([])
  // A page whose answers stay the same proves nothing.
  expect(unchanged).toEqual([])
})

/** Adds a mock run, and waits until charts count it. */
async function addRun(page: Page, id: string) {
  const ref = chartReference(id, 'metric')
  const count = async () => {
    const { chartDataJson } = await callAs(page, executeInsight, { ref, resultView: 'points' })
    return ChartPoints.parse(JSON.parse(chartDataJson)).total
  }
  const before = await count()
  await callAs(page, submitRuns, { id, mock: true, agents: ['quiet'], promptIds: ['ask'] })
  await expect.poll(count, { intervals: [50], timeout: 240_000 }).toBeGreaterThan(before)
}

/** Every page that a report can show, and every built-in chart. */
const reportOfAllFigures = async (page: Page, { experiment, left }: Seen) => {
  const pages = [
    ...views.map((view) => resultsPage(view)({ experiment })),
    `/insights/query?experiment=${experiment}&mode=modeled&chart=bar&x=variant&y=testPassRate`,
    `/insights/query?experiment=${experiment}#sql=SELECT%20count()%20AS%20runs%20FROM%20runs`,
    `/runs/${left}?turn=1&to=3`,
    `/runs/${left}?view=changes&file=numbers.txt`,
  ]
  const blocks = [
    ...pages.map((path) => formatChartBlock({ page: path, size: 'full', align: 'left' })),
    ...ChartKind.options.map((kind) => formatInsightBlock({ ref: chartReference(experiment, kind) })),
  ]
  const input = { title: 'All figures', description: '', bodyMarkdown: blocks.join('\n\n') }
  return (await callAs(page, createReport, input)).report.id
}
