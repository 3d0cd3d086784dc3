import { and, eq, inArray, isNull, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

const variant = {
  requestId: runs.requestId,
  fingerprint: runs.fingerprint,
  agent: runs.agent,
  agent_mode: runs.agentMode,
  model: runs.model,
  product: runs.product,
  environment: runs.environment,
  prompt: runs.prompt,
}

/** The variants of the requests of an experiment that have unfinished runs. The queue claims runs in the order of their ids. */
export function findUnfinishedRequests(db: Database, of: { organizationId: string; experimentId: string }) {
  const unfinished = db
    .select({ requestId: runs.requestId })
    .from(runs)
    .where(
      and(eq(runs.organizationId, of.organizationId), eq(runs.experimentId, of.experimentId), isNull(runs.endedAt)),
    )
  return db
    .select({
      ...variant,
      firstRunId: sql<string>`min(${runs.id}::text)`,
      hasUnfinished: sql<boolean>`bool_or(${runs.endedAt} is null)`,
    })
    .from(runs)
    .where(inArray(runs.requestId, unfinished))
    .groupBy(...Object.values(variant))
}

export type QueuedVariant = Awaited<ReturnType<typeof findUnfinishedRequests>>[number]
