import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import { readStatusFilter } from '#contract/run-status.ts'
import type { listRuns as endpoint, RunList } from '#contract/runs.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/context.ts'
import { readPageToken, writePageToken } from '#platform/http/page-token.ts'
import { countRunsByStatus, findRuns, type RunFilter } from './store.ts'
import { toRun, toStatusCounts } from './to-run.ts'

const Position = z.tuple([Timestamp, z.uuid()])

/** GET /runs: one row per run, last submitted first. A status filter of unrecognized values only is no filter (docs/spec-gaps.md). */
export async function listRuns(context: Context, input: VerbInput<typeof endpoint>): Promise<RunList> {
  const { db, organization } = context
  const limit = input.limit ?? limits.runs.default
  const filter: RunFilter = {
    organizationId: organization.id,
    experimentId: input.experimentId,
    statuses: readStatusFilter(input.status ?? []),
    agents: input.agent,
    models: input.model,
    products: input.product,
    environments: input.environment,
    prompts: input.prompt,
    variants: input.variant,
    triggeredBy: input.triggeredBy?.map((id) => id.toLowerCase()),
    updatedSince: input.since,
    versionScope: input.versionScope,
    testAwareOnly: input.testAware,
    timedOutOnly: input.timedOut,
    planLimitedOnly: input.planLimited,
    runRequestId: input.runRequestId,
  }
  const walk = ['runs', filter] as const
  const position = readPageToken(input.pageToken, Position, walk)
  const after = position && { createdAt: position[0], runId: position[1] }
  const rows = await findRuns(db, filter, { after, limit: limit + 1 })
  const statusCounts = toStatusCounts(await countRunsByStatus(db, filter))
  const runs = rows.slice(0, limit).map((row) => toRun(context, row))
  const last = runs.at(-1)
  const nextPageToken = rows.length > limit && last ? writePageToken([last.createdAt, last.runUuid], walk) : undefined
  return { runs, statusCounts, ...(nextPageToken && { nextPageToken }) }
}
