import { v7 as newId } from 'uuid'

import { type Account, currentCycle, type Cycle, type Usage } from './account.ts'
import { cycleStart, type UnixMs } from './billing-cycles.ts'
import { expireLots, grant, settle } from './ledger.ts'
import { baseMicros, incrementMicros } from './plans.ts'

/**
 * Updates an account to `now` in order of time: settles ended runs, expires credit, and starts cycles with their
 * grants. A second call changes nothing. `usages` contains every run that is not settled yet.
 */
export function catchUp(account: Account, { now, usages }: { now: UnixMs; usages: readonly Usage[] }) {
  if (account.cycles.length === 0) startCycle(account, { ordinal: 0, startsAt: account.anniversary })
  let waiting = usages.toSorted((a, b) => a.endedAt - b.endedAt)
  let reached = -Infinity
  for (;;) {
    const cycle = currentCycle(account)
    const next = Math.min(cycle.endsAt, nextExpiry(account, reached))
    const before = next <= now ? waiting.filter(({ endedAt }) => endedAt < next) : waiting
    settleByDay(account, before)
    if (next > now) return
    waiting = waiting.slice(before.length)
    expireLots(account, next)
    reached = next
    if (next === cycle.endsAt) startCycle(account, { ordinal: cycle.ordinal + 1, startsAt: next })
  }
}

/** Includes lots whose credit is all held: a run that ends before the expiry returns some of it for other runs. */
const nextExpiry = ({ lots }: Account, after: UnixMs) =>
  [...lots.values()].reduce((first, { available, held, expiresAt }) => {
    const isNext = (available > 0n || held > 0n) && expiresAt !== null && expiresAt > after
    return isNext ? Math.min(first, expiresAt) : first
  }, Infinity)

const dayOf = (at: UnixMs) => new Date(at).toISOString().slice(0, 10)

/** Writes one entry a day, dated by its last run: enough for a burn-down, and few rows for a month with many runs. */
function settleByDay(account: Account, usages: readonly Usage[]) {
  const { id: cycleId, startsAt } = currentCycle(account)
  for (const day of Map.groupBy(usages, ({ endedAt }) => dayOf(Math.max(endedAt, startsAt))).values()) {
    // A run that ended before the cycle started, but was recorded later, belongs to this cycle.
    const at = Math.max(startsAt, ...day.map(({ endedAt }) => endedAt))
    const { id: entryId } = settle(account, { usages: day, at })
    for (const { runId } of day) account.settled.push({ runId, cycleId, entryId })
  }
}

type Beginning = { ordinal: number; startsAt: UnixMs }

function startCycle(account: Account, { ordinal, startsAt }: Beginning) {
  const cycle = addCycle(account, { ordinal, startsAt })
  grantBase(account, cycle, { micros: baseMicros, name: 'base' })
  if (account.plan === 'paid') grantIncrement(account, cycle)
}

/** Adds a cycle without its grants. */
export function addCycle(account: Account, { ordinal, startsAt }: Beginning): Cycle {
  const endsAt = cycleStart(account.anniversary, ordinal + 1)
  const cycle: Cycle = { id: newId(), plan: 'free', ordinal, startsAt, endsAt }
  account.cycles.push(cycle)
  return cycle
}

const grantSource = ({ startsAt }: Cycle, name: string) => `cycle:${new Date(startsAt).toISOString()}:${name}`

/** Base credit expires with its cycle. */
export function grantBase(account: Account, cycle: Cycle, { micros, name }: { micros: bigint; name: string }) {
  const { startsAt: at, endsAt: expiresAt } = cycle
  grant(account, { bucket: 'base', micros, at, expiresAt, source: grantSource(cycle, name), from: 'granted' })
}

/** The increment can be spent in its own cycle and the next one, even if the plan changes. */
export function grantIncrement(account: Account, cycle: Cycle) {
  cycle.plan = 'paid'
  grant(account, {
    bucket: 'increment',
    micros: incrementMicros,
    at: cycle.startsAt,
    expiresAt: cycleStart(account.anniversary, cycle.ordinal + 2),
    source: grantSource(cycle, 'increment'),
    from: 'granted',
  })
}
