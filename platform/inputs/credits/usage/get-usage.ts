import type { VerbInput } from '#contract/endpoint.ts'
import { can } from '#contract/permissions.ts'
import { type getUsage as endpoint, maxUsageDays, type Usage, type UsageRow } from '#contract/usage.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { chooseCycle } from '#platform/inputs/credits/balance/choose-cycle.ts'
import { withAccount } from '#platform/inputs/credits/open-account.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { denied, invalid, invalidFields } from '#platform/ground/failures/failure.ts'
import { readDays, sumUsage, type UsageRows, type Window } from './store.ts'

type Input = VerbInput<typeof endpoint>

const dayMs = 24 * 60 * 60_000
/** More days than this are drawn as months. */
const mostDays = 92
const shownRows = 1000
const ownSegments = 7

/**
 * GET /admin/v1/usage: what the runs that ended in a period have cost, from the ledger. Members see only their own runs.
 * Errors: `permission_denied` for a member who groups by person; `not_found` for a cycle that is not there.
 */
export async function getUsage(context: Context, input: Input): Promise<Usage> {
  const { db, organization, caller } = context
  const { groupBy = 'model', timeZone = 'UTC' } = input
  const seesAll = can(organization).spendByUser
  if (groupBy === 'person' && !seesAll) throw denied('Only admins may group usage by person')
  // In a transaction of its own, because a cycle is chosen with the account locked, and submissions wait for that lock.
  const window = await db.transaction((tx) => chooseWindow(tx, organization.id, { ...input, timeZone }))
  const userId = seesAll ? null : personOf(caller)
  const days = (Date.parse(window.until) - Date.parse(window.from)) / dayMs
  const intervalUnit = days > mostDays ? ('month' as const) : ('day' as const)
  const question = { ...window, organizationId: organization.id, userId, groupBy, intervalUnit, timeZone }
  const { totals, ...found } = await sumUsage(db, { ...question, shownRows, ownSegments })
  const { previous, ...sums } = totals
  return {
    ...window,
    ...found,
    timeZone,
    groupBy,
    userId,
    intervalUnit,
    previous,
    totals: sums,
    rows: groupBy === 'day' ? rowsOfIntervals(found) : found.rows,
  }
}

type Asked = Pick<Input, 'period' | 'from' | 'to'> & { timeZone: string }

async function chooseWindow(
  tx: Database,
  organizationId: string,
  { period, from, to, timeZone }: Asked,
): Promise<Window> {
  if ((from === undefined) !== (to === undefined)) throw invalid('Send both `from` and `to`, or neither')
  if (from !== undefined && to !== undefined) {
    if (period !== undefined) throw invalid('Send `period`, or `from` and `to`, but not both')
    if (to < from) throw invalidFields([{ path: ['to'], message: 'must not be before `from`' }])
    if (Date.parse(to) - Date.parse(from) > maxUsageDays * dayMs)
      throw invalidFields([{ path: ['to'], message: `must be at most ${maxUsageDays} days after \`from\`` }])
    const window = await readDays(tx, { from, to, timeZone, now: await clockNow(tx) })
    if (window.until <= window.from) throw invalidFields([{ path: ['from'], message: 'must not be in the future' }])
    return window
  }
  if (period === 'last_30_days') return readDays(tx, { timeZone, now: await clockNow(tx) })
  await withAccount(tx, organizationId, () => {})
  const { startsAt, endsAt } = await chooseCycle(tx, organizationId, period)
  const now = await clockNow(tx)
  const end = toInstant(new Date(endsAt))
  return { from: toInstant(new Date(startsAt)), until: end < now ? end : now }
}

/** Every interval, including those without runs. */
const rowsOfIntervals = ({ intervals, segments }: Pick<UsageRows, 'intervals' | 'segments'>): UsageRow[] =>
  intervals.map(({ from }, place) => {
    const { interval: _, key: _key, ...sums } = segments.find(({ interval }) => interval === place) ?? nothing
    return { ...nothing, ...sums, key: from, label: '', previous: null }
  })

const nothing = {
  interval: 0,
  key: null,
  runs: 0,
  creditMicros: '0',
  ownKeyMicros: '0',
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
}
