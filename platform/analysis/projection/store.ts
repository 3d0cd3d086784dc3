import {
  and,
  asc,
  countDistinct,
  eq,
  exists,
  getTableColumns,
  inArray,
  lte,
  max,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { computeOfRun } from '#platform/ground/database/tables/run-compute.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'

export type FinishedRun = typeof runs.$inferSelect & { computeUsd: number | null }

const finished = inArray(runs.status, ['completed', 'errored', 'canceled'])

/** Lists the organizations with runs that the engine does not have yet, however many runs wait. */
export async function findOrganizationsToProject(db: Database) {
  const waiting = db.select().from(analyticsOutbox).where(eq(analyticsOutbox.organizationId, organizations.id))
  const rows = await db.select({ id: organizations.id }).from(organizations).where(exists(waiting))
  return rows.map((row) => row.id)
}

export async function findOrganizationsWithRuns(db: Database) {
  const rows = await db.selectDistinct({ organizationId: runs.organizationId }).from(runs)
  return rows.map((row) => row.organizationId)
}

/** Returns the oldest outbox rows of an organization. */
export const findOutboxBatch = (db: Database, organizationId: string, limit: number) =>
  db
    .select({ id: analyticsOutbox.id, runId: analyticsOutbox.runId, labelsOnly: analyticsOutbox.labelsOnly })
    .from(analyticsOutbox)
    .where(eq(analyticsOutbox.organizationId, organizationId))
    .orderBy(asc(analyticsOutbox.id))
    .limit(limit)

/** Deletes by id and not "up to the last id read", because an older transaction may commit a smaller id later. */
export const deleteOutboxRows = (db: Database, ids: readonly number[]) =>
  db.delete(analyticsOutbox).where(inArray(analyticsOutbox.id, [...ids]))

export const countOutboxRows = (db: Database, organizationId: string) =>
  db.$count(analyticsOutbox, eq(analyticsOutbox.organizationId, organizationId))

/** Selects waiting runs: of an organization, of one experiment, or one run by its composite id. */
export type WaitingScope = { organizationId: string; experimentId?: string; runId?: string }

export async function findNewestOutboxId(db: Database, organizationId: string) {
  const [row] = await db
    .select({ id: max(analyticsOutbox.id) })
    .from(analyticsOutbox)
    .where(eq(analyticsOutbox.organizationId, organizationId))
  return row?.id ?? null
}

const isWaiting = ({ organizationId, experimentId, runId }: WaitingScope, newest: number) =>
  and(
    eq(analyticsOutbox.organizationId, organizationId),
    lte(analyticsOutbox.id, newest),
    // The run itself is there; only its labels are older.
    eq(analyticsOutbox.labelsOnly, false),
    experimentId === undefined ? undefined : eq(runs.experimentId, experimentId),
    runId === undefined ? undefined : eq(runs.compositeId, runId),
  )

/** Whether a run of the scope waits in an outbox row with an id up to `newest`. */
export async function hasWaitingRuns(db: Database, scope: WaitingScope, newest: number) {
  const found = await db
    .select({ id: analyticsOutbox.id })
    .from(analyticsOutbox)
    .innerJoin(runs, eq(runs.id, analyticsOutbox.runId))
    .where(isWaiting(scope, newest))
    .limit(1)
  return found.length > 0
}

export async function countWaitingRuns(db: Database, scope: WaitingScope, newest: number) {
  const [row] = await db
    .select({ count: countDistinct(analyticsOutbox.runId) })
    .from(analyticsOutbox)
    .innerJoin(runs, eq(runs.id, analyticsOutbox.runId))
    .where(isWaiting(scope, newest))
  return row?.count ?? 0
}

export const findFinishedRuns = (db: Database, runIds: readonly string[]): Promise<FinishedRun[]> =>
  db
    .select({ ...getTableColumns(runs), computeUsd: computeOfRun })
    .from(runs)
    .where(and(inArray(runs.id, [...runIds]), finished))

export type TestPosition = { runId: string; ordinal: number }

const isAfter = (after: TestPosition | undefined) =>
  after && sql`(${capturedTests.runId}, ${capturedTests.ordinal}) > (${after.runId}::uuid, ${after.ordinal})`

/** Returns captured tests after a position, without their output tails. */
export const findOutcomes = (
  db: Database,
  runIds: readonly string[],
  { after, limit }: { after: TestPosition | undefined; limit: number },
) =>
  db
    .select({
      runId: capturedTests.runId,
      ordinal: capturedTests.ordinal,
      name: capturedTests.name,
      outcome: capturedTests.outcome,
      exitCode: capturedTests.exitCode,
      durationMs: capturedTests.durationMs,
    })
    .from(capturedTests)
    .where(and(inArray(capturedTests.runId, [...runIds]), isAfter(after)))
    .orderBy(asc(capturedTests.runId), asc(capturedTests.ordinal))
    .limit(limit)

export type CapturedOutcome = Awaited<ReturnType<typeof findOutcomes>>[number]

/** Returns the captured tests after a position that did not pass or that printed something. */
export const findPrintedTests = (
  db: Database,
  runIds: readonly string[],
  { after, limit }: { after: TestPosition | undefined; limit: number },
) =>
  db
    .select()
    .from(capturedTests)
    .where(
      and(
        inArray(capturedTests.runId, [...runIds]),
        isAfter(after),
        or(
          notInArray(capturedTests.outcome, ['passed', 'skipped']),
          ne(capturedTests.stdoutTail, ''),
          ne(capturedTests.stderrTail, ''),
        ),
      ),
    )
    .orderBy(asc(capturedTests.runId), asc(capturedTests.ordinal))
    .limit(limit)

export const findPlacedLabels = (db: Database, runIds: readonly string[]) =>
  db
    .select()
    .from(labels)
    .where(inArray(labels.runId, [...runIds]))

export type PlacedLabel = Awaited<ReturnType<typeof findPlacedLabels>>[number]

export const insertLabelChanges = (db: Database, organizationId: string, runIds: readonly string[]) =>
  db.insert(analyticsOutbox).values(runIds.map((runId) => ({ organizationId, runId, labelsOnly: true })))

export const insertWaitingRuns = (db: Database, organizationId: string, runIds: readonly string[]) =>
  db.insert(analyticsOutbox).values(runIds.map((runId) => ({ organizationId, runId })))

/** Reading and writing more at once would hold up the thread of an embedded database. */
const runsPerPart = 500

/**
 * Puts every finished run of an organization into the outbox, each once, in parts between which others have the database.
 * If it is killed, some are missing, and the next call adds them. Returns how many were not there yet.
 */
export async function enqueueFinishedRuns(db: Database, organizationId: string): Promise<number> {
  let added = 0
  let after: RunPosition | undefined
  do {
    const part = await giveWay(db, () => enqueuePart(db, organizationId, after))
    added += part.added
    after = part.last
  } while (after)
  return added
}

type RunPosition = { createdAt: string; id: string }

/** `last` is the position of its last run, or undefined when no run is left. */
async function enqueuePart(db: Database, organizationId: string, after: RunPosition | undefined) {
  const part = await db
    .select({ createdAt: runs.createdAt, id: runs.id })
    .from(runs)
    .where(
      and(
        eq(runs.organizationId, organizationId),
        finished,
        after && sql`(${runs.createdAt}, ${runs.id}) > (${after.createdAt}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(runs.createdAt), asc(runs.id))
    .limit(runsPerPart)
  const ids = part.map(({ id }) => id)
  const waiting = await db
    .select({ runId: analyticsOutbox.runId })
    .from(analyticsOutbox)
    .where(and(inArray(analyticsOutbox.runId, ids), eq(analyticsOutbox.labelsOnly, false)))
  const missing = new Set(ids).difference(new Set(waiting.map(({ runId }) => runId)))
  if (missing.size > 0) await insertWaitingRuns(db, organizationId, [...missing])
  return { added: missing.size, last: part.length === runsPerPart ? part.at(-1) : undefined }
}
