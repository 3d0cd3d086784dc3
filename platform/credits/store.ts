import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/database/open-database.ts'
import type { Cycle } from './account.ts'
import type { Moment } from './billing-cycles.ts'
import { billingCycles, checkoutSessions, creditEntries, creditHolds } from '#platform/database/tables/credits.ts'

const holdsPerStatement = 1000

export const toCycle = ({ id, plan, ordinal, startsAt, endsAt }: typeof billingCycles.$inferSelect): Cycle => ({
  id,
  plan,
  ordinal,
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(endsAt),
})

export async function insertHolds(tx: Database, holds: (typeof creditHolds.$inferInsert)[]) {
  for (let start = 0; start < holds.length; start += holdsPerStatement)
    await tx.insert(creditHolds).values(holds.slice(start, start + holdsPerStatement))
}

/** Whether an entry with this source exists. */
export async function hasEntry(tx: Database, organizationId: string, source: string) {
  const found = await tx
    .select({ id: creditEntries.id })
    .from(creditEntries)
    .where(and(eq(creditEntries.organizationId, organizationId), eq(creditEntries.source, source)))
  return found.length > 0
}

/** The newest cycle, or with `offset` 1 the one before it. */
export async function findCycle(tx: Database, organizationId: string, offset: 0 | 1) {
  const [row] = await tx
    .select()
    .from(billingCycles)
    .where(eq(billingCycles.organizationId, organizationId))
    .orderBy(desc(billingCycles.startsAt))
    .limit(1)
    .offset(offset)
  return row ? toCycle(row) : null
}

/** The last cycle that started in a UTC month. The month is `YYYY-MM` text, because some such years are no date. */
export async function findCycleOfMonth(tx: Database, organizationId: string, month: string) {
  const [row] = await tx
    .select()
    .from(billingCycles)
    .where(
      and(
        eq(billingCycles.organizationId, organizationId),
        sql`to_char(${billingCycles.startsAt} at time zone 'UTC', 'YYYY-MM') = ${month}`,
      ),
    )
    .orderBy(desc(billingCycles.startsAt))
    .limit(1)
  return row ? toCycle(row) : null
}

export const findPaidSessions = (tx: Database, organizationId: string) =>
  tx
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.organizationId, organizationId), eq(checkoutSessions.status, 'paid')))
    .orderBy(asc(checkoutSessions.createdAt))

/** Marks paid sessions as posted at `at`, in the transaction that posts their credit. */
export async function markPosted(tx: Database, sessionIds: readonly string[], at: Moment) {
  if (sessionIds.length === 0) return
  await tx
    .update(checkoutSessions)
    .set({ status: 'posted', postedAt: new Date(at).toISOString() })
    .where(inArray(checkoutSessions.id, [...sessionIds]))
}
