import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { type Account, currentCycle } from './account.ts'
import type { UnixMs } from './billing-cycles.ts'
import { notifyCreditPosted } from './notify-admins.ts'
import { catchUp } from './catch-up.ts'
import { grant } from './ledger.ts'
import { findUnsettled, loadAccount, lockAccount, writeAccount } from './account-store.ts'
import { findPaidSessions, markPosted } from './store.ts'

export type OpenAccount = { account: Account; now: UnixMs }

/**
 * Opens the organization's credit as of now, locked until the transaction ends, with due cycles started, expired credit
 * written off, and ended runs and paid top-ups in the ledger. Also writes every change that `act` makes to the account.
 */
export async function withAccount<Result>(
  tx: Database,
  organizationId: string,
  act: (open: OpenAccount) => Result | Promise<Result>,
): Promise<Result> {
  const row = await lockAccount(tx, organizationId)
  // Read under the lock: of two waiting callers, the second one also has the later time.
  return actAt(tx, { row, now: Date.parse(await clockNow(tx)) }, act)
}

/** The same at a given moment, for tests that span years. */
export const withAccountAt = async <Result>(
  tx: Database,
  { organizationId, now }: { organizationId: string; now: UnixMs },
  act: (open: OpenAccount) => Result | Promise<Result>,
): Promise<Result> => actAt(tx, { row: await lockAccount(tx, organizationId), now }, act)

type Locked = { row: Awaited<ReturnType<typeof lockAccount>>; now: UnixMs }

async function actAt<Result>(
  tx: Database,
  { row, now }: Locked,
  act: (open: OpenAccount) => Result | Promise<Result>,
): Promise<Result> {
  const account = await loadAccount(tx, row)
  const before = fingerprintOf(account)
  catchUp(account, { now, usages: await findUnsettled(tx, row.organizationId) })
  const topUps = await postTopUps(tx, account, now)
  const result = await act({ account, now })
  if (fingerprintOf(account) !== before) await writeAccount(tx, account)
  for (const topUp of topUps) await notifyCreditPosted(tx, { ...topUp, organizationId: account.organizationId })
  return result
}

const fingerprintOf = ({ plan, cycles, entries }: Account) => `${plan} ${cycles.length} ${entries.length}`

/** Top-ups that are paid and not in the ledger yet, including those left by a kill between the two steps. */
async function postTopUps(tx: Database, account: Account, now: UnixMs) {
  const paid = await findPaidSessions(tx, account.organizationId)
  const topUps = paid.map(({ id, amountMicros, acceptedMicros }) => ({
    source: `checkout:${id}`,
    micros: acceptedMicros ?? amountMicros,
    origin: 'top_up' as const,
  }))
  for (const { source, micros } of topUps) {
    const at = Math.max(now, currentCycle(account).startsAt)
    grant(account, { bucket: 'on_demand', micros, at, expiresAt: null, source, from: 'purchased' })
  }
  await markPosted(
    tx,
    paid.map(({ id }) => id),
    now,
  )
  return topUps
}
