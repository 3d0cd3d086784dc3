import { v7 as newId } from 'uuid'

import { type BucketKind, bucketKinds } from '#contract/credits.ts'
import type { Moment } from './billing-cycles.ts'
import type { Plan } from './plans.ts'
import type { LedgerAccount } from '#platform/database/tables/credits.ts'

export type Lot = {
  id: string
  bucket: BucketKind
  available: bigint
  held: bigint
  grantedAt: Moment
  expiresAt: Moment | null
}

export type Cycle = { id: string; plan: Plan; ordinal: number; startsAt: Moment; endsAt: Moment }

/** One side of an entry: available and held name the lot they are of. */
export type Posting = { account: LedgerAccount; lotId: string | null; micros: bigint }

export type Entry = { id: string; cycleId: string; kind: string; source: string; at: Moment; postings: Posting[] }

/** Where a hold took its credit from. */
export type HoldPart = { lotId: string; micros: bigint }

/** A run's cost, and what was held for it. */
export type Usage = { runId: string; endedAt: Moment; charge: bigint; parts: readonly HoldPart[] }

/**
 * An organization's credit in memory, while its row is locked. Everything that moves goes through `post`; what is new
 * is gathered here for the store to write.
 */
export type Account = {
  organizationId: string
  plan: Plan
  anniversary: Moment
  owed: bigint
  /** The newest is last. */
  cycles: Cycle[]
  /** Those with anything left, and those of this session. */
  lots: Map<string, Lot>
  /** The lots as the database has them. */
  storedLots: ReadonlyMap<string, Lot>
  entries: Entry[]
  /** The cycle and the entry in which each run's usage went into the ledger. */
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

export function currentCycle({ cycles }: Account): Cycle {
  const cycle = cycles.at(-1)
  if (!cycle) throw new Error('the account has no cycle yet')
  return cycle
}

type Event = { kind: string; source: string; at: Moment; postings: Posting[] }

/** Adds an entry and moves the lots by it. Throws when its postings do not add up to zero or a lot would go below it. */
export function post(account: Account, { postings, ...event }: Event): Entry {
  const moving = postings.filter(({ micros }) => micros !== 0n)
  if (moving.reduce((sum, { micros }) => sum + micros, 0n) !== 0n) throw new Error(`${event.source} does not balance`)
  for (const posting of moving) apply(account, posting)
  const entry = { id: newId(), cycleId: currentCycle(account).id, ...event, postings: moving }
  account.entries.push(entry)
  return entry
}

function apply(account: Account, { account: side, lotId, micros }: Posting) {
  if (side === 'owed') account.owed -= micros
  if (side !== 'available' && side !== 'held') return
  const lot = lotId === null ? undefined : account.lots.get(lotId)
  if (!lot) throw new Error(`there is no lot ${lotId}`)
  lot[side] += micros
  if (lot[side] < 0n) throw new Error(`lot ${lotId} would hold less than nothing`)
}

const bucketRank = (lot: Lot) => bucketKinds.indexOf(lot.bucket)
const expiry = (lot: Lot) => lot.expiresAt ?? Infinity

/** Lots with credit to spend: base, increment, on-demand; within each what expires first. */
export const inSpendingOrder = ({ lots }: Account): Lot[] =>
  [...lots.values()]
    .filter((lot) => lot.available > 0n)
    .sort((a, b) => bucketRank(a) - bucketRank(b) || expiry(a) - expiry(b) || a.grantedAt - b.grantedAt)

const sumOf = (lots: Iterable<Lot>, side: 'available' | 'held') => {
  let sum = 0n
  for (const lot of lots) sum += lot[side]
  return sum
}

/** What a new run may be promised: never what is held for others, less what is owed. */
export const spendable = ({ lots, owed }: Account) => sumOf(lots.values(), 'available') - owed

export const heldTotal = ({ lots }: Account) => sumOf(lots.values(), 'held')
