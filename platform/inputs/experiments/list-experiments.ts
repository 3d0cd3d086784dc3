import type { VerbInput } from '#contract/endpoint.ts'
import type { ExperimentList, listExperiments as endpoint } from '#contract/experiments.ts'
import { limits } from '#contract/wire/limit.ts'
import { readSorted } from '#contract/wire/sort-param.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findExperiments, newestFirst, positionOf, positionSchema, toPosition } from './experiment-list-store.ts'
import { toSummary } from './to-experiment.ts'

/**
 * GET /experiments: the organization's experiments, newest first unless `sort` says otherwise. Values of one filter
 * combine with OR, filters with AND.
 */
export async function listExperiments(
  { db, organization }: SharedContext,
  input: VerbInput<typeof endpoint>,
): Promise<ExperimentList> {
  const limit = input.limit ?? limits.experiments.default
  const filter = {
    organizationId: organization.id,
    search: input.search?.trim(),
    owner: input.owner?.trim(),
    axes: { agents: input.agent, models: input.model, products: input.product, environments: input.environment },
    updatedSince: input.since,
    isImported: input.imported,
  }
  const sort = input.sort ? readSorted(input.sort) : newestFirst
  const listKey = ['experiments', filter, ...(input.sort ? [sort] : [])] as const
  const parts = readPageToken(input.pageToken, positionSchema(sort), listKey)
  const after = parts && toPosition(parts)
  const rows = await findExperiments(db, filter, { sort, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, positionOf)
  return { experiments: shown.map(toSummary), ...next }
}
