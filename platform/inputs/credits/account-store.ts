import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { type Account, type Lot, toAccount, toCycle, type Usage } from './account.ts'
import type { UnixMs } from './billing-cycles.ts'
import {
  billingCycles,
  creditAccounts,
  creditEntries,
  creditHolds,
  creditLots,
  creditPostings,
  runUsage,
} from '#platform/ground/database/tables/credits.ts'

const rowsPerStatement = 1000

const toText = (moment: UnixMs) => new Date(moment).toISOString()
const toUnixMs = (instant: string) => Date.parse(instant)

/** Locks the organization's credit account until the transaction ends. Creates the account if there is none yet. */
export async function lockAccount(tx: Database, organizationId: string) {
  const find = () =>
    tx.select().from(creditAccounts).where(eq(creditAccounts.organizationId, organizationId)).for('update')
  const [known] = await find()
  if (known) return known
  await tx.execute(sql`
    insert into ${creditAccounts} (organization_id, plan, anniversary, owed_micros)
    select ${organizations.id}, 'free', date_trunc('milliseconds', ${organizations.createdAt}), 0
    from ${organizations} where ${organizations.id} = ${organizationId}
    on conflict do nothing`)
  const [made] = await find()
  if (!made) throw new Error('This organization does not exist')
  return made
}

const toLot = ({ id, bucket, availableMicros, heldMicros, ...lot }: typeof creditLots.$inferSelect): Lot => ({
  id,
  bucket,
  available: availableMicros,
  held: heldMicros,
  grantedAt: toUnixMs(lot.grantedAt),
  expiresAt: lot.expiresAt === null ? null : toUnixMs(lot.expiresAt),
})

/** The account of a row that the caller has locked. Reads only its newest cycle and the lots with credit left. */
export async function loadAccount(tx: Database, row: typeof creditAccounts.$inferSelect): Promise<Account> {
  const { organizationId } = row
  const cycles = await tx
    .select()
    .from(billingCycles)
    .where(eq(billingCycles.organizationId, organizationId))
    .orderBy(desc(billingCycles.startsAt))
    .limit(1)
  const lots = await tx
    .select()
    .from(creditLots)
    .where(
      and(
        eq(creditLots.organizationId, organizationId),
        or(sql`${creditLots.availableMicros} <> 0`, sql`${creditLots.heldMicros} <> 0`),
      ),
    )
  const terms = { organizationId, plan: row.plan, anniversary: toUnixMs(row.anniversary), owed: row.owedMicros }
  return toAccount({ ...terms, cycles: cycles.map(toCycle) }, lots.map(toLot))
}

/** Runs that have ended and are not in the ledger yet. */
export async function findUnsettled(tx: Database, organizationId: string): Promise<Usage[]> {
  const rows = await tx
    .select({ usage: runUsage, parts: creditHolds.parts })
    .from(runUsage)
    .innerJoin(creditHolds, eq(creditHolds.runId, runUsage.runId))
    .where(and(eq(runUsage.organizationId, organizationId), isNull(runUsage.entryId)))
    .orderBy(asc(runUsage.endedAt), asc(runUsage.runId))
  return rows.map(({ usage, parts }) => ({
    runId: usage.runId,
    endedAt: toUnixMs(usage.endedAt),
    charge: usage.modelMicros + usage.infrastructureMicros,
    parts: parts.map(({ lotId, micros }) => ({ lotId, micros: BigInt(micros) })),
  }))
}

/** Writes an account and its new rows. The caller has locked it. */
export async function writeAccount(tx: Database, account: Account) {
  const { organizationId, plan, anniversary, owed } = account
  await tx
    .update(creditAccounts)
    .set({ plan, anniversary: toText(anniversary), owedMicros: owed })
    .where(eq(creditAccounts.organizationId, organizationId))
  await upsertCycles(tx, account)
  await upsertLots(tx, account)
  await insertEntries(tx, account)
  await markSettled(tx, account)
}

async function upsertCycles(tx: Database, { organizationId, cycles }: Account) {
  const rows = cycles.map((cycle) => ({
    ...cycle,
    organizationId,
    startsAt: toText(cycle.startsAt),
    endsAt: toText(cycle.endsAt),
  }))
  await tx
    .insert(billingCycles)
    .values(rows)
    .onConflictDoUpdate({ target: billingCycles.id, set: { plan: sql`excluded.plan`, endsAt: sql`excluded.ends_at` } })
}

const isSame = (lot: Lot, stored: Lot | undefined) =>
  stored !== undefined &&
  lot.available === stored.available &&
  lot.held === stored.held &&
  lot.expiresAt === stored.expiresAt

async function upsertLots(tx: Database, { organizationId, lots, storedLots }: Account) {
  const changedLots = [...lots.values()].filter((lot) => !isSame(lot, storedLots.get(lot.id)))
  if (changedLots.length === 0) return
  const rows = changedLots.map((lot) => ({
    id: lot.id,
    organizationId,
    bucket: lot.bucket,
    availableMicros: lot.available,
    heldMicros: lot.held,
    grantedAt: toText(lot.grantedAt),
    expiresAt: lot.expiresAt === null ? null : toText(lot.expiresAt),
  }))
  const changed = {
    availableMicros: sql`excluded.available_micros`,
    heldMicros: sql`excluded.held_micros`,
    expiresAt: sql`excluded.expires_at`,
  }
  await tx.insert(creditLots).values(rows).onConflictDoUpdate({ target: creditLots.id, set: changed })
}

async function insertEntries(tx: Database, { organizationId, entries }: Account) {
  for (let start = 0; start < entries.length; start += rowsPerStatement) {
    const some = entries.slice(start, start + rowsPerStatement)
    await tx.insert(creditEntries).values(
      some.map(({ id, cycleId, kind, source, at }) => ({
        id,
        organizationId,
        cycleId,
        kind,
        source,
        at: toText(at),
      })),
    )
    const postings = some.flatMap(({ id: entryId, postings }) =>
      postings.map((posting, seq) => ({ entryId, seq, ...posting })),
    )
    if (postings.length > 0) await tx.insert(creditPostings).values(postings)
  }
}

async function markSettled(tx: Database, { settled }: Account) {
  for (const some of Map.groupBy(settled, ({ entryId }) => entryId).values()) {
    const [{ cycleId, entryId } = { cycleId: null, entryId: null }] = some
    for (let start = 0; start < some.length; start += rowsPerStatement) {
      const runIds = some.slice(start, start + rowsPerStatement).map(({ runId }) => runId)
      await tx.update(runUsage).set({ cycleId, entryId }).where(inArray(runUsage.runId, runIds))
    }
  }
}
