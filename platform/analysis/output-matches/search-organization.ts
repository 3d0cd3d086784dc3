import { OutputMatch, OutputSource } from '#contract/output-matches.ts'
import { toEndedAt } from '#platform/analysis/charts/chart-page.ts'
import { allVersions } from '#platform/analysis/charts/chart-scope.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { ListKey } from '#platform/ground/routes/page-token.ts'
import { oneSearchAtATime } from './one-search-at-a-time.ts'
import { readSearchCursor, writeSearchCursor } from './search-cursor.ts'
import { searchPage } from './search-page.ts'
import type { FoundMatch, Searched } from './search-runs.ts'

/** A match with its experiment. */
type MatchInExperiment = OutputMatch & { experimentId: string }

type Input = { search: string; limit: number; pageToken: string | undefined }

/**
 * Finds a text in the runs of every experiment, one match for each run. Errors: `invalid_argument` for a page token of
 * another search; `resource_exhausted` while too many searches of the organization wait.
 */
export async function searchOrganization(context: Context, { search, limit, pageToken }: Input) {
  const { organization, analytics } = context
  const searched: Searched = { search, sources: OutputSource.options, includesReasoning: true, isOncePerRun: true }
  const listKey: ListKey = ['text of an organization', organization.id, search]
  const cursor = readSearchCursor(pageToken, listKey)
  const pendingRuns = await waitForProjection(context, { organizationId: organization.id })
  const scope = {
    condition: 'organization_id = {organizationId:UUID}',
    parameters: { organizationId: organization.id },
  }
  const [[counted], page] = await Promise.all([
    analytics.query(organization.id, `SELECT toUInt32(count()) AS totalRuns FROM runs FINAL WHERE ${scope.condition}`, {
      parameters: scope.parameters,
    }),
    oneSearchAtATime(organization.id, () =>
      searchPage(context, { scope, version: allVersions }, searched, { cursor, limit }),
    ),
  ])
  const { next, matches, searchedRuns, stoppedEarly } = page
  return {
    matches: matches.map(toMatch),
    searchedRuns,
    totalRuns: Number(counted?.['totalRuns'] ?? 0),
    stoppedEarly,
    pendingRuns,
    nextPageToken: next ? writeSearchCursor(next, listKey) : undefined,
  }
}

const toMatch = ({ endedAtText, source, experimentId, ...match }: FoundMatch): MatchInExperiment => ({
  ...OutputMatch.parse({ ...match, source: OutputSource.options[source], endedAt: toEndedAt(endedAtText) }),
  experimentId,
})
