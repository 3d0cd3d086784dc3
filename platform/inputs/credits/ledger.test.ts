import { randomUUID } from 'node:crypto'

import { beforeEach, describe, expect, test } from 'vitest'

import { type Account, currentCycle, totalHeld, spendable, toAccount, type Usage } from './account.ts'
import { cycleStart } from './billing-cycles.ts'
import { catchUp } from './catch-up.ts'
import { changePlan } from './change-plan.ts'
import { grant, hold } from './ledger.ts'

const dollar = 1_000_000n
const born = Date.parse('2026-01-31T10:00:00Z')
const day = 24 * 60 * 60 * 1000

let account: Account
beforeEach(() => {
  account = toAccount({ organizationId: randomUUID(), plan: 'free', anniversary: born, owed: 0n, cycles: [] }, [])
  catchUp(account, { now: born, usages: [] })
})

const goTo = (now: number, usages: readonly Usage[] = []) => catchUp(account, { now, usages })
const buy = (dollars: bigint, at: number) =>
  grant(account, {
    bucket: 'on_demand',
    micros: dollars * dollar,
    at,
    expiresAt: null,
    source: `checkout:${randomUUID()}`,
    from: 'purchased',
  })
const left = (bucket: string) =>
  [...account.lots.values()].filter((lot) => lot.bucket === bucket).reduce((sum, lot) => sum + lot.available, 0n)

/** A run with a hold of `held` dollars and a cost of `charge` dollars. */
function aRun(at: number, { held, charge }: { held: bigint; charge: bigint }): Usage {
  const parts = hold(account, { micros: held * dollar, at, source: `request:${randomUUID()}` })
  if (!parts) throw new Error('The credit does not cover the hold')
  return { runId: randomUUID(), endedAt: at, charge: charge * dollar, parts }
}

describe('credit buckets', () => {
  test('every cycle has 25 dollars of base credit, which expires with it', () => {
    expect(left('base')).toBe(25n * dollar)
    goTo(cycleStart(born, 1) - 1)
    expect(left('base')).toBe(25n * dollar)
    goTo(cycleStart(born, 3))
    expect(left('base')).toBe(25n * dollar)
    expect(account.cycles).toHaveLength(4)
  })

  test('a paid cycle adds 125 dollars, spendable in that cycle and the next, even after a downgrade', () => {
    changePlan(account, 'paid', born)
    goTo(cycleStart(born, 1))
    expect(left('increment')).toBe(250n * dollar)
    changePlan(account, 'free', cycleStart(born, 1))
    goTo(cycleStart(born, 2))
    expect(left('increment')).toBe(125n * dollar)
    goTo(cycleStart(born, 3))
    expect(left('increment')).toBe(0n)
  })

  test('on-demand credit never expires', () => {
    buy(10n, born)
    goTo(cycleStart(born, 60))
    expect(left('on_demand')).toBe(10n * dollar)
  })

  test('credit is spent from base, then increment, then on-demand', () => {
    buy(50n, born)
    changePlan(account, 'paid', born)
    const usage = aRun(born, { held: 160n, charge: 155n })
    goTo(born + day, [usage])
    expect([left('base'), left('increment'), left('on_demand')]).toEqual([0n, 0n, 45n * dollar])
  })
})

describe('plan changes', () => {
  test('an upgrade keeps the remaining base credit, tops it up for the elapsed time, and adds the full increment', () => {
    goTo(born + day, [aRun(born, { held: 20n, charge: 20n })])
    const half = born + (cycleStart(born, 1) - born) / 2
    goTo(half)
    expect(changePlan(account, 'paid', half)).toBe('upgraded')
    expect(left('base')).toBe(5n * dollar + (25n * dollar) / 2n)
    expect(left('increment')).toBe(125n * dollar)
    expect(currentCycle(account).startsAt).toBe(half)
    goTo(cycleStart(half, 1))
    expect([left('base'), left('increment')]).toEqual([25n * dollar, 250n * dollar])
  })

  test('a downgrade forfeits nothing', () => {
    changePlan(account, 'paid', born)
    const before = spendable(account)
    changePlan(account, 'free', born)
    expect(spendable(account)).toBe(before)
  })

  test('a downgrade and an upgrade within one paid cycle add no second increment', () => {
    changePlan(account, 'paid', born)
    changePlan(account, 'free', born + day)
    expect(changePlan(account, 'paid', born + 2 * day)).toBe('resumed')
    expect(left('increment')).toBe(125n * dollar)
  })
})

describe('credit for runs', () => {
  test('a run releases the held credit that it did not cost', () => {
    const usage = aRun(born, { held: 10n, charge: 3n })
    expect([spendable(account), totalHeld(account)]).toEqual([15n * dollar, 10n * dollar])
    goTo(born + 1, [usage])
    expect([spendable(account), totalHeld(account)]).toEqual([22n * dollar, 0n])
  })

  test('nothing is held when the credit does not cover the amount', () => {
    const entries = account.entries.length
    expect(hold(account, { micros: 26n * dollar, at: born, source: 'request:x' })).toBeNull()
    expect(account.entries).toHaveLength(entries)
  })

  test('credit held when its cycle ends pays for that run, and the rest of it expires', () => {
    const usage = aRun(born, { held: 20n, charge: 8n })
    const later = cycleStart(born, 1) + day
    goTo(later)
    goTo(later, [{ ...usage, endedAt: later }])
    expect([left('base'), totalHeld(account)]).toEqual([25n * dollar, 0n])
  })

  test('credit that a run releases pays for other runs until it expires, whenever the account is opened', () => {
    const leftAfter = (isOpenedBetween: boolean) => {
      account = toAccount({ organizationId: randomUUID(), plan: 'paid', anniversary: born, owed: 0n, cycles: [] }, [])
      goTo(born + day)
      changePlan(account, 'free', born + day)
      const again = cycleStart(born, 1) + 5 * day
      goTo(again)
      changePlan(account, 'paid', again)
      // This falls within the new cycle, because that cycle has another anniversary.
      const expiry = cycleStart(born, 2)
      const before = expiry - 60_000
      goTo(before)
      const first = aRun(before, { held: left('base') / dollar + 125n, charge: 10n })
      const second = aRun(before, { held: 1n, charge: 50n })
      const third = { ...aRun(before, { held: 1n, charge: 1n }), endedAt: expiry + 60_000 }
      if (isOpenedBetween) goTo(before + 1, [first, second])
      goTo(expiry + 120_000, isOpenedBetween ? [third] : [first, second, third])
      return spendable(account)
    }
    expect(leftAfter(false)).toBe(124n * dollar)
    expect(leftAfter(true)).toBe(124n * dollar)
  })

  test('a cost beyond all credit becomes an overdraft, and the next credit repays it', () => {
    const usage = aRun(born, { held: 25n, charge: 40n })
    goTo(born + 1, [usage])
    expect(spendable(account)).toBe(-15n * dollar)
    buy(20n, born + 2)
    expect([spendable(account), account.owed]).toEqual([5n * dollar, 0n])
  })
})
