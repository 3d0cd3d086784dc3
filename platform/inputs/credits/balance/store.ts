import { and, asc, desc, eq, inArray, lt, sql, sum } from 'drizzle-orm'

import type { BucketKind } from '#contract/credits.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { toCycle } from '#platform/inputs/credits/account.ts'
import type { UnixMs } from '#platform/inputs/credits/billing-cycles.ts'
import { billingCycles, creditEntries, creditLots, creditPostings } from '#platform/ground/database/tables/credits.ts'

const total = (of: string | null | undefined) => BigInt(of ?? 0)

/** Entries of the organization, or only those before a moment. */
const isCounted = (organizationId: string, before: UnixMs | null) =>
  and(
    eq(creditEntries.organizationId, organizationId),
    before === null ? undefined : lt(creditEntries.at, new Date(before).toISOString()),
  )

const isOwnCredit = inArray(creditPostings.account, ['available', 'held'])

export type BucketSum = { bucket: BucketKind; expiresAt: string | null; micros: bigint }

/** The remaining credit of each bucket and expiry before a moment (null: now), without empty ones. */
export async function sumBuckets(tx: Database, organizationId: string, before: UnixMs | null): Promise<BucketSum[]> {
  const micros = sum(creditPostings.micros)
  const rows = await tx
    .select({ bucket: creditLots.bucket, expiresAt: creditLots.expiresAt, micros })
    .from(creditPostings)
    .innerJoin(creditEntries, eq(creditEntries.id, creditPostings.entryId))
    .innerJoin(creditLots, eq(creditLots.id, creditPostings.lotId))
    .where(and(isCounted(organizationId, before), isOwnCredit))
    .groupBy(creditLots.bucket, creditLots.expiresAt)
    .having(sql`${micros} <> 0`)
    .orderBy(asc(creditLots.bucket), asc(creditLots.expiresAt))
  return rows.map((row) => ({ ...row, micros: total(row.micros) }))
}

/** The organization's overdraft in micros: the cost of runs beyond all credit. */
export async function sumOwed(tx: Database, organizationId: string, before: UnixMs | null) {
  const [row] = await tx
    .select({ micros: sum(creditPostings.micros) })
    .from(creditPostings)
    .innerJoin(creditEntries, eq(creditEntries.id, creditPostings.entryId))
    .where(and(isCounted(organizationId, before), eq(creditPostings.account, 'owed')))
  return -total(row?.micros)
}

/** The total micros granted or bought in a cycle. */
export async function sumFunding(tx: Database, cycleId: string) {
  const [row] = await tx
    .select({ micros: sum(creditPostings.micros) })
    .from(creditPostings)
    .innerJoin(creditEntries, eq(creditEntries.id, creditPostings.entryId))
    .where(and(eq(creditEntries.cycleId, cycleId), inArray(creditPostings.account, ['granted', 'purchased'])))
  return -total(row?.micros)
}

/** For each UTC day in [from, until), the change of the balance in micros, with the overdraft deducted. */
export async function sumByDay(tx: Database, organizationId: string, { from, until }: { from: UnixMs; until: UnixMs }) {
  const day = sql<string>`to_char(${creditEntries.at} at time zone 'UTC', 'YYYY-MM-DD')`
  const rows = await tx
    .select({ day, micros: sum(creditPostings.micros) })
    .from(creditPostings)
    .innerJoin(creditEntries, eq(creditEntries.id, creditPostings.entryId))
    .where(
      and(
        isCounted(organizationId, until),
        sql`${creditEntries.at} >= ${new Date(from).toISOString()}::timestamptz`,
        inArray(creditPostings.account, ['available', 'held', 'owed']),
      ),
    )
    .groupBy(day)
  return new Map(rows.map((row) => [row.day, total(row.micros)]))
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
