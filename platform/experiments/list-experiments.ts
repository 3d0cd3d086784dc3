import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { ExperimentList, listExperiments as endpoint } from '#contract/experiments.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { SharedContext } from '#platform/context/context.ts'
import { readPageToken, writePageToken } from '#platform/context/page-token.ts'
import { findExperiments } from './store.ts'
import { toSummary } from './to-experiment.ts'

const Position = z.tuple([Timestamp, z.string()])

/**
 * GET /experiments: the organization's experiments, newest first. Values of one filter combine with OR, filters with
 * AND.
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
  }
  const listKey = ['experiments', filter] as const
  const position = readPageToken(input.pageToken, Position, listKey)
  const after = position && { createdAt: position[0], id: position[1] }
  const rows = await findExperiments(db, { ...filter, after, limit: limit + 1 })
  const experiments = rows.slice(0, limit).map(toSummary)
  const last = experiments.at(-1)
  return {
    experiments,
    ...(rows.length > limit && last && { nextPageToken: writePageToken([last.createdAt, last.id], listKey) }),
  }
}
