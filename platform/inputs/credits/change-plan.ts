import { type Account, currentCycle, type Cycle } from './account.ts'
import type { UnixMs } from './billing-cycles.ts'
import { addCycle, grantBase, grantIncrement } from './catch-up.ts'
import { baseMicros, type Plan } from './plans.ts'

/** The effect of a plan change. `resumed`: the cycle already has its increment. `upgraded`: a new cycle started. */
export type PlanChange = 'unchanged' | 'upgraded' | 'resumed' | 'downgraded'

/**
 * Changes the plan of an account that is up to date with `now`. A downgrade forfeits nothing; it only removes the
 * increment from later cycles. An upgrade starts a new cycle and makes `now` the anniversary. The remaining base credit
 * then lasts until the end of the new cycle, and the account receives the base credit for the elapsed part of the old
 * cycle and the full increment.
 */
export function changePlan(account: Account, plan: Plan, now: UnixMs): PlanChange {
  if (account.plan === plan) return 'unchanged'
  account.plan = plan
  if (plan === 'free') return 'downgraded'
  const cycle = currentCycle(account)
  if (cycle.plan === 'paid') return 'resumed'
  if (cycle.startsAt === now) grantIncrement(account, cycle)
  else startPaidCycle(account, cycle, now)
  return 'upgraded'
}

function startPaidCycle(account: Account, old: Cycle, now: UnixMs) {
  const topUp = (baseMicros * BigInt(now - old.startsAt)) / BigInt(old.endsAt - old.startsAt)
  old.endsAt = now
  account.anniversary = now
  const cycle = addCycle(account, { ordinal: 0, startsAt: now })
  for (const lot of account.lots.values()) {
    if (lot.bucket === 'base' && lot.expiresAt !== null && lot.expiresAt > now) lot.expiresAt = cycle.endsAt
  }
  grantBase(account, cycle, { micros: topUp, name: 'top-up' })
  grantIncrement(account, cycle)
}
