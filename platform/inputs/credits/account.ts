import { v7 as newId } from 'uuid'

import { type BucketKind, bucketKinds } from '#contract/credits.ts'
import type { UnixMs } from './billing-cycles.ts'
import type { Plan } from './plans.ts'
import type { billingCycles, LedgerAccount } from '#platform/ground/database/tables/credits.ts'

export type Lot = {
  id: string
  bucket: BucketKind
  available: bigint
  held: bigint
  grantedAt: UnixMs
  expiresAt: UnixMs | null
}

export type Cycle = { id: string; plan: Plan; ordinal: number; startsAt: UnixMs; endsAt: UnixMs }

export const toCycle = ({ id, plan, ordinal, startsAt, endsAt }: typeof billingCycles.$inferSelect): Cycle => ({
  id,
  plan,
  ordinal,
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(endsAt),
})

/** One side of an entry. The accounts `available` and `held` also name their lot. */
export type Posting = { account: LedgerAccount; lotId: string | null; micros: bigint }

export type Entry = { id: string; cycleId: string; kind: string; source: string; at: UnixMs; postings: Posting[] }

/** The part of a hold that one lot covers. */
export type HoldPart = { lotId: string; micros: bigint }

/** The cost of a run, and the credit held for it. */
export type Usage = { runId: string; endedAt: UnixMs; charge: bigint; parts: readonly HoldPart[] }

/**
 * An organization's credit in memory, while its row is locked. Every movement goes through `post`; the store then
 * writes the new rows that are collected here.
 */
export type Account = {
  organizationId: string
  plan: Plan
  anniversary: UnixMs
  owed: bigint
  /** The newest cycle is last. */
  cycles: Cycle[]
  /** Lots with credit left, and lots added in this session. */
  lots: Map<string, Lot>
  /** The lots as the database has them. */
  storedLots: ReadonlyMap<string, Lot>
  entries: Entry[]
  /** For each settled run, the cycle and the ledger entry of its usage. */
  settled: { runId: string; cycleId: string; entryId: string }[]
}

type Terms = Pick<Account, 'organizationId' | 'plan' | 'anniversary' | 'owed' | 'cycles'>

export const toAccount = (terms: Terms, lots: readonly Lot[]): Account => ({
  ...terms,
  lots: new Map(lots.map((lot) => [lot.id, { ...lot }])),
  storedLots: new Map(lots.map((lot) => [lot.id, lot])),
  entries: [],
  settled: [],
})

/** The newest billing cycle of an account that is up to date. */
export function currentCycle({ cycles }: Account): Cycle {
  const cycle = cycles.at(-1)
  if (!cycle) throw new Error('The credit account has no billing cycle yet')
  return cycle
}

type Event = { kind: string; source: string; at: UnixMs; postings: Posting[] }

/** Adds an entry and updates its lots. Throws when the postings do not sum to zero or a lot would become negative. */
export function post(account: Account, { postings, ...event }: Event): Entry {
  const moving = postings.filter(({ micros }) => micros !== 0n)
  if (moving.reduce((sum, { micros }) => sum + micros, 0n) !== 0n)
    throw new Error(`The postings of ${event.source} do not sum to zero`)
  for (const posting of moving) apply(account, posting)
  const entry = { id: newId(), cycleId: currentCycle(account).id, ...event, postings: moving }
  account.entries.push(entry)
  return entry
}

function apply(account: Account, { account: side, lotId, micros }: Posting) {
  if (side === 'owed') account.owed -= micros
  if (side !== 'available' && side !== 'held') return
  const lot = lotId === null ? undefined : account.lots.get(lotId)
  if (!lot) throw new Error(`There is no credit lot ${lotId}`)
  lot[side] += micros
  if (lot[side] < 0n) throw new Error(`Credit lot ${lotId} would become negative`)
}

const bucketRank = (lot: Lot) => bucketKinds.indexOf(lot.bucket)
const expiry = (lot: Lot) => lot.expiresAt ?? Infinity

/** Lots with credit to spend, in spending order: base, increment, on-demand; within each, the earliest expiry first. */
export const inSpendingOrder = ({ lots }: Account): Lot[] =>
  [...lots.values()]
    .filter((lot) => lot.available > 0n)
    .sort((a, b) => bucketRank(a) - bucketRank(b) || expiry(a) - expiry(b) || a.grantedAt - b.grantedAt)

const sumOf = (lots: Iterable<Lot>, side: 'available' | 'held') => {
  let sum = 0n
  for (const lot of lots) sum += lot[side]
  return sum
}

/** Credit available for new runs: neither held for other runs nor needed to repay an overdraft. */
export const spendable = ({ lots, owed }: Account) => sumOf(lots.values(), 'available') - owed

export const totalHeld = ({ lots }: Account) => sumOf(lots.values(), 'held')
