import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import { OutputMatch, OutputSource, type listOutputMatches as endpoint } from '#contract/output-matches.ts'
import { limits } from '#contract/wire/limit.ts'
import { toEndedAt } from '#platform/analysis/charts/chart-page.ts'
import { type ChartScope, runScope } from '#platform/analysis/charts/chart-scope.ts'
import { resolveScope } from '#platform/analysis/charts/resolve-scope.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { ListKey } from '#platform/ground/context/page-token.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import { findRunsToSearch } from './find-runs-to-search.ts'
import { oneSearchAtATime } from './one-search-at-a-time.ts'
import { readSearchCursor, type RunPlace, type SearchCursor, writeSearchCursor } from './search-cursor.ts'
import { type FoundMatch, type Searched, searchRuns } from './search-runs.ts'

/** A page ends after this long, so that a search of many runs neither times out nor holds up charts. */
const pageMilliseconds = 3000

/**
 * A slice of runs is one statement. Between two slices other statements of the organization run. Slices grow fast,
 * because one of a tenth of all runs already reads half of the text.
 */
const slices = { first: 50, most: 20_000, quickMilliseconds: 700, slowMilliseconds: 1500 }

/**
 * GET /experiments/{id}/output-matches: reads runs from the one that ended last, slice by slice, until the page is full,
 * its time is up, or no run is left. Errors: those of resolveScope; `invalid_argument` for a page token of another
 * search; `resource_exhausted` while too many searches of the organization wait.
 */
export async function listOutputMatches(
  context: Context,
  input: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { id, search, source, include = [], limit = limits.outputMatches.default, pageToken, ...query } = input
  const { organization } = context
  const searched: Searched = {
    search,
    sources: source?.length ? [...new Set(source)] : OutputSource.options,
    includesReasoning: include.includes('reasoning'),
  }
  const listKey: ListKey = ['output matches', organization.id, id, searched, query]
  const cursor = readSearchCursor(pageToken, listKey)
  const pendingRuns = await waitForProjection(context, { organizationId: organization.id, experimentId: id })
  const chart = await resolveScope(context, id, { ...query, groupBy: 'variant' }, cursor?.version ?? query.version)
  const [counted, page] = await Promise.all([
    countRuns(context, chart),
    oneSearchAtATime(organization.id, () => searchPage(context, chart, searched, { cursor, limit })),
  ])
  const { next, ...found } = page
  return {
    ...found,
    matches: page.matches.map(toMatch),
    ...counted,
    version: chart.version,
    ...(pendingRuns > 0 && { pendingRuns }),
    ...(next && { nextPageToken: writeSearchCursor(next, listKey) }),
  }
}

type Page = { matches: FoundMatch[]; searchedRuns: number; stoppedEarly: boolean; next: SearchCursor | null }

async function searchPage(
  context: Context,
  chart: ChartScope,
  searched: Searched,
  { cursor, limit }: { cursor: SearchCursor | null; limit: number },
): Promise<Page> {
  const endAt = Date.now() + pageMilliseconds
  const matches: FoundMatch[] = []
  let place = cursor
  let size = slices.first
  for (;;) {
    const runs = await findRunsToSearch(context, chart, place, size)
    const [first, last] = [runs[0], runs.at(-1)]
    const searchedBefore = place?.searched ?? 0
    if (!first || !last) return { matches, searchedRuns: searchedBefore, stoppedEarly: false, next: null }
    const startedAt = Date.now()
    const found = await searchRuns(context, chart, searched, {
      first,
      last,
      after: place?.within ?? null,
      limit: limit - matches.length + 1,
    })
    matches.push(...found)
    if (matches.length > limit) return fullPage({ matches: matches.slice(0, limit), runs, searchedBefore, chart })
    const searchedRuns = searchedBefore + runs.length
    place = { version: chart.version, searched: searchedRuns, run: last, within: null }
    if (runs.length < size) return { matches, searchedRuns, stoppedEarly: false, next: null }
    if (Date.now() >= endAt) return { matches, searchedRuns, stoppedEarly: true, next: place }
    size = nextSize(size, Date.now() - startedAt)
  }
}

function nextSize(size: number, milliseconds: number) {
  if (milliseconds < slices.quickMilliseconds) return Math.min(slices.most, size * 4)
  return milliseconds > slices.slowMilliseconds ? Math.max(1, Math.floor(size / 2)) : size
}

type FullPage = { matches: FoundMatch[]; runs: readonly RunPlace[]; searchedBefore: number; chart: ChartScope }

function fullPage({ matches, runs, searchedBefore, chart }: FullPage): Page {
  const last = matches.at(-1)
  if (!last) throw new Error('A full page has matches')
  const before = runs.findIndex(({ runUuid }) => runUuid === last.runUuid)
  const searchedRuns = searchedBefore + Math.max(0, before)
  const { endedAtText, runUuid, source, position } = last
  const run = { endedAtText, runUuid }
  const next = { version: chart.version, searched: searchedRuns, run, within: { source, position } }
  return { matches, searchedRuns, stoppedEarly: false, next }
}

async function countRuns({ analytics, organization }: Context, chart: ChartScope) {
  const { condition, parameters } = runScope(chart)
  const [row] = await analytics.query(
    organization.id,
    `SELECT toUInt32(countIf(NOT test_aware)) AS others, toUInt32(countIf(test_aware)) AS testAware
     FROM runs FINAL WHERE ${condition}`,
    { parameters },
  )
  const [others, testAware] = [Number(row?.['others'] ?? 0), Number(row?.['testAware'] ?? 0)]
  if (chart.includeTestAware) return { totalRuns: others + testAware, excludedTestAwareRuns: 0 }
  return { totalRuns: others, excludedTestAwareRuns: testAware }
}

/** The schema leaves out the position. */
const toMatch = ({ endedAtText, source, ...match }: FoundMatch): OutputMatch =>
  OutputMatch.parse({ ...match, source: OutputSource.options[source], endedAt: toEndedAt(endedAtText) })
