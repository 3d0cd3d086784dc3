import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import { readStatusFilter } from '#contract/run-status.ts'
import type { listRuns as endpoint, RunList } from '#contract/runs.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { SharedContext } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { createChangeCache } from '#platform/polling/change-cache.ts'
import type { Version } from '#platform/polling/watch-changes.ts'
import { readPageToken, writePageToken } from '#platform/context/page-token.ts'
import { readStamp, writeStamp } from './list-stamp.ts'
import {
  countRunsByStatus,
  findChangedRuns,
  findRuns,
  haveNamesChanged,
  type RunFilter,
  type ChangedRun,
  type RunPosition,
} from './store.ts'
import { toRun, toStatusCounts } from './to-run.ts'

const Position = z.tuple([Timestamp, z.uuid()])

/**
 * GET /runs: one row per run, most recently submitted first. A status filter with only unknown values filters nothing
 * (docs/api-choices/runs.md). If the caller's `version` is known, the response has a stamp of it.
 */
export async function listRuns(
  context: SharedContext & { version?: Version },
  input: VerbInput<typeof endpoint>,
): Promise<RunList> {
  const { db, version } = context
  const filter = toFilter(context, input)
  const limit = input.limit ?? limits.runs.default
  const listKey = ['runs', filter] as const
  const position = readPageToken(input.pageToken, Position, listKey)
  const after = position && { createdAt: position[0], runId: position[1] }
  const stamp = version && writeStamp(version, listKey)
  const since = version ? readStamp(input.changedSince, listKey, version) : null
  const changes =
    version && since !== null && (await findChangesOfPage(context, filter, { version, since, after, limit }))
  if (changes) return { ...changes, ...(stamp && { stamp }) }
  const rows = await findRuns(db, filter, { after, limit: limit + 1 })
  const runs = rows.slice(0, limit).map((row) => toRun(context, row))
  const last = runs.at(-1)
  const nextPageToken =
    rows.length > limit && last ? writePageToken([last.createdAt, last.runUuid], listKey) : undefined
  return {
    runs,
    statusCounts: toStatusCounts(await countRunsByStatus(db, filter)),
    ...(stamp && { stamp }),
    ...(nextPageToken && { nextPageToken }),
  }
}

const toFilter = ({ organization }: SharedContext, input: VerbInput<typeof endpoint>): RunFilter => ({
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
})

type Page = { version: Version; since: string; after: RunPosition | undefined; limit: number }
type PageChanges = { rows: ChangedRun[]; counts: Awaited<ReturnType<typeof countRunsByStatus>> }

/** Kept per database, because two databases can contain the same organization (a copy does). */
const changesOf = new WeakMap<Database, ReturnType<typeof createChangeCache<PageChanges>>>()

/** Returns null if the whole page is the shorter answer, or if something besides its own rows decides what it shows. */
async function findChangesOfPage(
  context: SharedContext,
  filter: RunFilter,
  { version, since, after, limit }: Page,
): Promise<RunList | null> {
  const { db, organization } = context
  const load = async (snapshot: string): Promise<PageChanges | null> => {
    if (await haveNamesChanged(db, organization.id, snapshot)) return null
    const rows = await findChangedRuns(db, filter, { since: snapshot, after, limit: limit + 1 })
    return rows.length > limit ? null : { rows, counts: await countRunsByStatus(db, filter) }
  }
  const readChanges = changesOf.get(db) ?? createChangeCache<PageChanges>()
  changesOf.set(db, readChanges)
  const steps = await readChanges(JSON.stringify([filter, after, limit]), { version, since }, load)
  if (!steps) return null
  // Later steps overwrite earlier ones, because they have the later state of a run.
  const latest = new Map(steps.flatMap(({ rows }) => rows.map((row) => [row.run.id, row])))
  if (latest.size > limit) return null
  const rows = [...latest.values()].toSorted(inListOrder)
  const [matching, removed] = [rows.filter(({ matches }) => matches), rows.filter(({ matches }) => !matches)]
  return {
    runs: matching.map((row) => toRun(context, row)),
    changes: { removedIds: removed.map(({ run }) => run.compositeId) },
    statusCounts: toStatusCounts(steps.at(-1)?.counts ?? []),
  }
}

const inListOrder = (a: ChangedRun, b: ChangedRun) =>
  a.run.createdAt === b.run.createdAt ? (a.run.id < b.run.id ? 1 : -1) : a.run.createdAt < b.run.createdAt ? 1 : -1
