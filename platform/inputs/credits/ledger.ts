import { v7 as newId } from 'uuid'

import type { BucketKind } from '#contract/credits.ts'
import {
  type Account,
  type Entry,
  type HoldPart,
  inSpendingOrder,
  type Lot,
  post,
  type Posting,
  spendable,
  type Usage,
} from './account.ts'
import type { UnixMs } from './billing-cycles.ts'

export type Grant = {
  bucket: BucketKind
  micros: bigint
  at: UnixMs
  expiresAt: UnixMs | null
  source: string
  from: 'granted' | 'purchased'
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Adds a lot of credit, and repays an overdraft from it at once. */
export function grant(account: Account, { bucket, micros, at, expiresAt, source, from }: Grant): Entry {
  const lot: Lot = { id: newId(), bucket, available: 0n, held: 0n, grantedAt: at, expiresAt }
  account.lots.set(lot.id, lot)
  const repaid = smaller(account.owed, micros)
  return post(account, {
    kind: from === 'purchased' ? 'purchase' : 'grant',
    source,
    at,
    postings: [
      { account: from, lotId: null, micros: -micros },
      { account: 'available', lotId: lot.id, micros: micros - repaid },
      { account: 'owed', lotId: null, micros: repaid },
    ],
  })
}

/**
 * Holds `micros` of the available credit, in spending order. Returns null and moves nothing when there is not enough.
 */
export function hold(
  account: Account,
  { micros, at, source }: { micros: bigint; at: UnixMs; source: string },
): HoldPart[] | null {
  const parts = partsOf(account, micros)
  if (!parts) return null
  post(account, {
    kind: 'hold',
    source,
    at,
    postings: parts.flatMap(({ lotId, micros }): Posting[] => [
      { account: 'available', lotId, micros: -micros },
      { account: 'held', lotId, micros },
    ]),
  })
  return parts
}

/** The lots that a hold of `micros` takes it from; null when there is not enough. */
export const partsOf = (account: Account, micros: bigint): HoldPart[] | null =>
  micros > spendable(account) ? null : draw(inSpendingOrder(account), micros)

/** The lots that an amount is taken from. The parts sum to less than the amount when the lots do not cover it. */
function draw(lots: readonly Lot[], micros: bigint): HoldPart[] {
  let missing = micros
  return lots.flatMap(({ id, available }) => {
    const taken = smaller(available, missing)
    missing -= taken
    return taken > 0n ? [{ lotId: id, micros: taken }] : []
  })
}

/**
 * Ends the holds of finished runs and charges the cost of the runs, as one entry. Held credit that has expired pays
 * first, for its own run only, and its remainder expires. A cost beyond all credit becomes an overdraft.
 */
export function settle(account: Account, { usages, at }: { usages: readonly Usage[]; at: UnixMs }): Entry {
  const tally = openTally(account)
  for (const usage of usages) settleOne(account, tally, { usage, at })
  repay(account, tally)
  return post(account, { kind: 'usage', source: `usage:${newId()}`, at, postings: tally.postings() })
}

/** Sums the movements of many runs by lot, and applies them to the lots at once. */
function openTally(account: Account) {
  const sums = new Map<string, Posting>()
  const left = new Map([...account.lots].map(([id, lot]) => [id, { ...lot }]))
  let owed = account.owed
  return {
    lots: left,
    owed: () => owed,
    move(side: Posting['account'], lotId: string | null, micros: bigint) {
      const key = `${side} ${lotId}`
      const sum = sums.get(key) ?? { account: side, lotId, micros: 0n }
      sums.set(key, { ...sum, micros: sum.micros + micros })
      const lot = lotId === null ? undefined : left.get(lotId)
      if (lot && (side === 'available' || side === 'held')) lot[side] += micros
      if (side === 'owed') owed -= micros
    },
    postings: () => [...sums.values()],
  }
}

type Tally = ReturnType<typeof openTally>

const asAccount = (account: Account, tally: Tally): Account => ({ ...account, lots: tally.lots })

function settleOne(account: Account, tally: Tally, { usage, at }: { usage: Usage; at: UnixMs }) {
  let due = usage.charge
  const spend = (from: Posting['account'], lotId: string | null, micros: bigint) => {
    tally.move(from, lotId, -micros)
    tally.move('spent', null, micros)
    due -= micros
  }
  for (const { lotId, micros } of usage.parts) {
    const expiresAt = tally.lots.get(lotId)?.expiresAt ?? null
    if (expiresAt !== null && expiresAt <= at) {
      const used = smaller(micros, due)
      spend('held', lotId, used)
      tally.move('held', lotId, used - micros)
      tally.move('expired', null, micros - used)
    } else {
      tally.move('held', lotId, -micros)
      tally.move('available', lotId, micros)
    }
  }
  for (const { lotId, micros } of draw(inSpendingOrder(asAccount(account, tally)), due))
    spend('available', lotId, micros)
  if (due > 0n) spend('owed', null, due)
}

/** Released credit repays an overdraft. */
function repay(account: Account, tally: Tally) {
  for (const { lotId, micros } of draw(inSpendingOrder(asAccount(account, tally)), tally.owed())) {
    tally.move('available', lotId, -micros)
    tally.move('owed', null, micros)
  }
}

/** Writes off the rest of the lots that have expired by `at`, each at its own moment. Held credit stays held. */
export function expireLots(account: Account, at: UnixMs) {
  for (const lot of account.lots.values()) {
    if (lot.expiresAt === null || lot.expiresAt > at || lot.available === 0n) continue
    post(account, {
      kind: 'expiry',
      source: `expiry:${newId()}`,
      at: lot.expiresAt,
      postings: [
        { account: 'available', lotId: lot.id, micros: -lot.available },
        { account: 'expired', lotId: null, micros: lot.available },
      ],
    })
  }
}
