import { and, eq, inArray, notExists, or, sql } from 'drizzle-orm'

import { contextRecords } from '#platform/ground/database/tables/context-records.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import {
  billingCycles,
  checkoutSessions,
  creditAccounts,
  creditEntries,
  creditHolds,
  creditLots,
  creditPostings,
  runUsage,
} from '#platform/ground/database/tables/credits.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { memberships, users } from '#platform/ground/database/tables/identity.ts'
import { notificationEntries, notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import type { Database } from '#platform/ground/database/open-database.ts'

export type ExperimentKey = { organizationId: string; experimentId: string }

const isExperiment = ({ organizationId, experimentId }: ExperimentKey) =>
  and(eq(experiments.organizationId, organizationId), eq(experiments.id, experimentId))

/** Locks the experiment, so that nobody pushes or submits while it is decided whether it goes. */
export const lockExperiment = (tx: Database, key: ExperimentKey) =>
  tx.select({ name: experiments.name }).from(experiments).where(isExperiment(key)).for('update')

export async function removeExperiment(tx: Database, key: ExperimentKey) {
  const { organizationId, experimentId } = key
  await tx
    .delete(experimentVersions)
    .where(
      and(eq(experimentVersions.organizationId, organizationId), eq(experimentVersions.experimentId, experimentId)),
    )
  await tx.delete(experiments).where(isExperiment(key))
}

export async function removeSuggestions(tx: Database, ids: readonly string[]) {
  const removed = await tx
    .delete(contextSuggestions)
    .where(inArray(contextSuggestions.id, [...ids]))
    .returning({ id: contextSuggestions.id })
  return removed.length
}

type RecordKey = { organizationId: string; kind: string; id: string }

/** Removes a record in this revision that no suggestion refers to. Returns whether it was there, and whether it went. */
export async function removeRecord(tx: Database, { organizationId, kind, id }: RecordKey, revision: number) {
  const isRecord = and(
    eq(contextRecords.organizationId, organizationId),
    sql`${contextRecords.kind} = ${kind}`,
    eq(contextRecords.id, id),
  )
  const suggestion = tx
    .select({ one: sql`1` })
    .from(contextSuggestions)
    .where(
      and(
        eq(contextSuggestions.organizationId, contextRecords.organizationId),
        eq(contextSuggestions.kind, contextRecords.kind),
        eq(contextSuggestions.targetId, contextRecords.id),
      ),
    )
  const isThere = (await tx.$count(contextRecords, isRecord)) > 0
  const removed = await tx
    .delete(contextRecords)
    .where(and(isRecord, eq(contextRecords.revision, revision), notExists(suggestion)))
    .returning({ id: contextRecords.id })
  return { isThere, isRemoved: removed.length > 0 }
}

/** Notifications about these subjects, or with this source. Returns their number of events. */
export async function removeNotifications(tx: Database, subjectIds: readonly string[], sources: readonly string[]) {
  const events = await tx
    .select({ id: notificationEvents.id })
    .from(notificationEvents)
    .where(or(inArray(notificationEvents.subjectId, [...subjectIds]), inArray(notificationEvents.source, [...sources])))
  const ids = events.map(({ id }) => id)
  await tx.delete(notificationEntries).where(inArray(notificationEntries.eventId, ids))
  await tx.delete(notificationEvents).where(inArray(notificationEvents.id, ids))
  return ids.length
}

/** Whether the ledger has anything but the free credit and the spend of these runs. */
export async function hasOtherMoney(tx: Database, organizationId: string, runIds: readonly string[]) {
  const sources = ['operator:', 'checkout:']
  const ofOthers = await tx.$count(
    runUsage,
    and(eq(runUsage.organizationId, organizationId), sql`not (${runUsage.runId} = any(${uuids(runIds)}))`),
  )
  const ofPayments = await tx.$count(checkoutSessions, eq(checkoutSessions.organizationId, organizationId))
  const granted = await tx.$count(
    creditEntries,
    and(
      eq(creditEntries.organizationId, organizationId),
      or(...sources.map((source) => sql`starts_with(${creditEntries.source}, ${source})`)),
    ),
  )
  const paid = await tx.$count(
    creditAccounts,
    and(eq(creditAccounts.organizationId, organizationId), eq(creditAccounts.plan, 'paid')),
  )
  return ofOthers + ofPayments + granted + paid > 0
}

/** One parameter for any number of runs. */
const uuids = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`

/** The spend of these runs in micros. */
export async function sumSpend(tx: Database, runIds: readonly string[]) {
  const [sum] = await tx
    .select({ micros: sql<string>`coalesce(sum(${runUsage.modelMicros} + ${runUsage.infrastructureMicros}), 0)::text` })
    .from(runUsage)
    .where(sql`${runUsage.runId} = any(${uuids(runIds)})`)
  return BigInt(sum?.micros ?? '0')
}

/** Deletes the organization's account with its whole ledger. Its next use opens a new one. */
export async function removeAccount(tx: Database, organizationId: string) {
  const entries = tx.select({ id: creditEntries.id }).from(creditEntries)
  await tx
    .delete(creditPostings)
    .where(inArray(creditPostings.entryId, entries.where(eq(creditEntries.organizationId, organizationId))))
  await tx.delete(runUsage).where(eq(runUsage.organizationId, organizationId))
  await tx.delete(creditHolds).where(eq(creditHolds.organizationId, organizationId))
  await tx.delete(creditEntries).where(eq(creditEntries.organizationId, organizationId))
  await tx.delete(creditLots).where(eq(creditLots.organizationId, organizationId))
  await tx.delete(billingCycles).where(eq(billingCycles.organizationId, organizationId))
  await tx.delete(creditAccounts).where(eq(creditAccounts.organizationId, organizationId))
}

/** Makes every poll of the organization read again: deleted rows carry no stamp that would show the change. */
export const stampMembers = (tx: Database, organizationId: string) =>
  tx
    .update(users)
    .set({ changedIn: sql`pg_current_xact_id()` })
    .where(
      inArray(
        users.id,
        tx.select({ id: memberships.userId }).from(memberships).where(eq(memberships.organizationId, organizationId)),
      ),
    )
