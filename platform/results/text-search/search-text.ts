import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { searchText as endpoint } from '#contract/text-search.ts'
import { limits } from '#contract/wire/limit.ts'
import { searchOrganization } from '#platform/analysis/output-matches/search-organization.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findReportsWithText } from './find-reports-with-text.ts'
import { rankMatches } from './rank-matches.ts'
import { findExperimentNames } from './store.ts'

/**
 * GET /text-search: the runs and reports of the organization that have a text, the best match of a page first. A page
 * takes some three seconds at most. Errors: `invalid_argument` for a page token of another search;
 * `resource_exhausted` while too many searches of the organization wait.
 */
export async function searchText(
  context: Context,
  { search, limit = limits.textSearch.default, pageToken }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const [{ matches, pendingRuns, nextPageToken, ...counts }, reports] = await Promise.all([
    searchOrganization(context, { search, limit, pageToken }),
    // Later pages continue with older runs; the first one has the reports.
    pageToken === undefined ? findReportsWithText(context, search, limit) : noReports,
  ])
  const ids = [...new Set(matches.map(({ experimentId }) => experimentId))]
  const names = await findExperimentNames(context.db, context.organization.id, ids)
  return {
    ...reports,
    ...counts,
    runs: rankMatches(matches, search).map((match) => ({
      ...match,
      experimentName: names.get(match.experimentId) ?? match.experimentId,
    })),
    ...(pendingRuns > 0 && { pendingRuns }),
    ...(nextPageToken !== undefined && { nextPageToken }),
  }
}

const noReports = { reports: [], searchedReports: 0, totalReports: 0 }
