import { and, eq, inArray, max } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runSources } from '#platform/ground/database/tables/run-sources.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import type { Scope } from './run-id.ts'

/** The runs among these that an earlier import has stored. */
export async function findStoredRuns(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: runs.id })
    .from(runs)
    .where(inArray(runs.id, [...ids]))
  return new Set(rows.map((row) => row.id))
}

/** The ids of all runs of an experiment. */
export async function findIdsOfExperiment(db: Database, { organizationId, experimentId }: Scope): Promise<Set<string>> {
  const rows = await db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.organizationId, organizationId), eq(runs.experimentId, experimentId)))
  return new Set(rows.map((row) => row.id))
}

/** Variant → its highest repeat number so far, for variants that have runs. */
export async function findLastRepeats(db: Database, organizationId: string, experimentId: string) {
  const rows = await db
    .select({ variantId: runs.variantId, last: max(runs.repeat) })
    .from(runs)
    .where(and(eq(runs.organizationId, organizationId), eq(runs.experimentId, experimentId)))
    .groupBy(runs.variantId)
  return new Map(rows.map((row) => [row.variantId, row.last ?? 0]))
}

export type RunSource = typeof runSources.$inferInsert

/** Records where runs came from. */
export const insertSources = (tx: Database, sources: readonly RunSource[]) => tx.insert(runSources).values([...sources])
