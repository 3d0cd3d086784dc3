import { and, asc, count, desc, eq, getTableColumns, gt, inArray, lt, max, ne, or, type SQL, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import { bulkActionRuns, bulkActions } from '#platform/ground/database/tables/bulk-actions.ts'
import { users } from '#platform/ground/database/tables/identity.ts'

export type BulkActionRow = typeof bulkActions.$inferSelect
type NewAction = typeof bulkActions.$inferInsert
export type NewActionRun = Omit<typeof bulkActionRuns.$inferInsert, 'actionId' | 'seq'>

const rowsPerStatement = 1000

export async function insertAction(tx: Database, action: NewAction, actionRuns: readonly NewActionRun[]) {
  await tx.insert(bulkActions).values(action)
  for (let start = 0; start < actionRuns.length; start += rowsPerStatement) {
    const rows = actionRuns.slice(start, start + rowsPerStatement)
    await tx
      .insert(bulkActionRuns)
      .values(rows.map((row, index) => ({ ...row, actionId: action.id, seq: start + index })))
  }
}

/** Deletes the oldest proposals of a person beyond `keep`. */
export async function deleteOldProposals(
  tx: Database,
  { organizationId, createdBy }: Pick<BulkActionRow, 'organizationId' | 'createdBy'>,
  keep: number,
) {
  const isOwnProposal = and(
    eq(bulkActions.organizationId, organizationId),
    eq(bulkActions.createdBy, createdBy),
    eq(bulkActions.state, 'proposed'),
  )
  const old = await tx
    .select({ id: bulkActions.id })
    .from(bulkActions)
    .where(isOwnProposal)
    .orderBy(desc(bulkActions.createdAt), desc(bulkActions.id))
    .offset(keep)
  await deleteActions(tx, old, isOwnProposal)
}

/** `still`: an action that was started since it was found stays. */
async function deleteActions(tx: Database, found: readonly { id: string }[], still: SQL | undefined) {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  await tx.delete(bulkActions).where(and(inArray(bulkActions.id, ids), still))
}

/** Deletes proposals after a day, and other actions a month after their end. */
export async function deleteOutdated(db: Database) {
  const isOutdated = or(
    and(eq(bulkActions.state, 'proposed'), lt(bulkActions.createdAt, sql`now() - interval '1 day'`)),
    and(
      inArray(bulkActions.state, ['done', 'stopped', 'failed']),
      eq(bulkActions.removals, bulkActions.removalsProjected),
      lt(bulkActions.endedAt, sql`now() - interval '30 days'`),
    ),
  )
  const old = await db.select({ id: bulkActions.id }).from(bulkActions).where(isOutdated).limit(50)
  await deleteActions(db, old, isOutdated)
  return old.length
}

const withCreator = (db: Database) =>
  db
    .select({ action: bulkActions, creator: { id: users.id, email: users.email, name: users.name } })
    .from(bulkActions)
    .innerJoin(users, eq(users.id, bulkActions.createdBy))

export type ActionWithCreator = Awaited<ReturnType<typeof withCreator>>[number]

/** The id may be any text. */
export async function findAction(db: Database, organizationId: string, id: string) {
  const [row] = await withCreator(db).where(
    and(eq(bulkActions.organizationId, organizationId), isUuid(bulkActions.id, id)),
  )
  return row ?? null
}

export const lockAction = (tx: Database, id: string) =>
  tx.select().from(bulkActions).where(eq(bulkActions.id, id)).for('update')

export const findStartedActions = (db: Database, organizationId: string, limit: number) =>
  withCreator(db)
    .where(and(eq(bulkActions.organizationId, organizationId), ne(bulkActions.state, 'proposed')))
    .orderBy(desc(bulkActions.createdAt), desc(bulkActions.id))
    .limit(limit)

/** How many runs have each state and reason. */
export const countRuns = (db: Database, actionIds: readonly string[]) =>
  db
    .select({
      actionId: bulkActionRuns.actionId,
      state: bulkActionRuns.state,
      reason: bulkActionRuns.reason,
      runs: count(),
    })
    .from(bulkActionRuns)
    .where(inArray(bulkActionRuns.actionId, [...actionIds]))
    .groupBy(bulkActionRuns.actionId, bulkActionRuns.state, bulkActionRuns.reason)

export const findNewRequests = (db: Database, actionIds: readonly string[]) =>
  db
    .selectDistinct({ actionId: bulkActionRuns.actionId, requestId: sql<string>`${bulkActionRuns.newRequestId}` })
    .from(bulkActionRuns)
    .where(and(inArray(bulkActionRuns.actionId, [...actionIds]), sql`${bulkActionRuns.newRequestId} is not null`))
    .orderBy(asc(bulkActionRuns.actionId), sql`${bulkActionRuns.newRequestId}`)

export async function updateAction(tx: Database, id: string, change: Partial<NewAction>) {
  await tx.update(bulkActions).set(change).where(eq(bulkActions.id, id))
}

/**
 * Takes a turn of an action, locked until the transaction ends. Other servers skip it. Organizations take turns, and in each
 * its actions.
 */
export async function claimAction(tx: Database) {
  const turns = tx
    .select({ organizationId: bulkActions.organizationId, last: max(bulkActions.workedAt).as('last') })
    .from(bulkActions)
    .where(eq(bulkActions.state, 'running'))
    .groupBy(bulkActions.organizationId)
    .as('turns')
  const [action] = await tx
    .select(getTableColumns(bulkActions))
    .from(bulkActions)
    .innerJoin(turns, eq(turns.organizationId, bulkActions.organizationId))
    .where(eq(bulkActions.state, 'running'))
    .orderBy(
      sql`${turns.last} asc nulls first`,
      sql`${bulkActions.workedAt} asc nulls first`,
      asc(bulkActions.createdAt),
      asc(bulkActions.id),
    )
    .limit(1)
    .for('update', { of: bulkActions, skipLocked: true })
  return action ?? null
}

/** Ended actions with deletions that the analytics do not have yet. A running one may delete more. */
export const findUnprojected = (db: Database) =>
  db
    .select({ id: bulkActions.id, organizationId: bulkActions.organizationId, removals: bulkActions.removals })
    .from(bulkActions)
    .where(and(gt(bulkActions.removals, bulkActions.removalsProjected), ne(bulkActions.state, 'running')))

/** Runs that a deletion deleted, in the order of the action. */
export const findDeletedRuns = (db: Database, actionId: string, { after, limit }: { after: number; limit: number }) =>
  db
    .select({ seq: bulkActionRuns.seq, runId: bulkActionRuns.runId })
    .from(bulkActionRuns)
    .where(and(eq(bulkActionRuns.actionId, actionId), gt(bulkActionRuns.seq, after), eq(bulkActionRuns.state, 'done')))
    .orderBy(asc(bulkActionRuns.seq))
    .limit(limit)

/** The runs of the first part that has pending ones. */
export const findNextRuns = (tx: Database, actionId: string) => {
  const isPending = and(eq(bulkActionRuns.actionId, actionId), eq(bulkActionRuns.state, 'pending'))
  const first = tx
    .select({ part: sql`min(${bulkActionRuns.part})` })
    .from(bulkActionRuns)
    .where(isPending)
  return tx
    .select()
    .from(bulkActionRuns)
    .where(and(isPending, sql`${bulkActionRuns.part} = (${first})`))
    .orderBy(asc(bulkActionRuns.seq))
}

export type RunResult = {
  runId: string
  state: 'done' | 'skipped' | 'failed'
  reason?: string
  newRequestId?: string
}

/** One statement for all runs with the same result. */
export async function recordResults(tx: Database, actionId: string, results: readonly RunResult[]) {
  const alike = Map.groupBy(results, ({ state, reason, newRequestId }) => JSON.stringify([state, reason, newRequestId]))
  for (const group of alike.values()) {
    const [{ state, reason = null, newRequestId = null } = { state: 'done' as const }] = group
    const ids = group.map(({ runId }) => runId)
    await tx
      .update(bulkActionRuns)
      .set({ state, reason, newRequestId })
      .where(
        and(
          eq(bulkActionRuns.actionId, actionId),
          eq(bulkActionRuns.state, 'pending'),
          sql`${bulkActionRuns.runId} = any(${`{${ids.join(',')}}`}::uuid[])`,
        ),
      )
  }
}
