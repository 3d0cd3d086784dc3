import { type Usage, UsageGroupBy, UsagePeriod } from '#contract/usage.ts'
import { isTimeZone } from '#contract/wire/time-zone.ts'
import { dollarsOf } from '#contract/wire/micros.ts'
import { paths } from '#src/paths.ts'

/** What is counted: credit and own keys together, or one of them. */
export const payers = ['all', 'credit', 'own'] as const
export type Payer = (typeof payers)[number]

export type UsageView = {
  groupBy: UsageGroupBy
  period: UsagePeriod | 'custom'
  from: string
  to: string
  timeZone: string
  paid: Payer
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** The URL's parameters; unknown values are the defaults. Members cannot group by person. */
export function readUsageView(one: (name: string) => string, { spendByUser }: { spendByUser: boolean }): UsageView {
  const by = UsageGroupBy.safeParse(one('by')).data ?? 'model'
  const [from, to] = [one('from'), one('to')]
  const isCustom = isDay(from) && isDay(to)
  return {
    groupBy: by === 'person' && !spendByUser ? 'model' : by,
    period: isCustom ? 'custom' : (UsagePeriod.safeParse(one('period')).data ?? 'current'),
    from,
    to,
    timeZone: isTimeZone(one('zone')) ? one('zone') : 'UTC',
    paid: payers.find((payer) => payer === one('paid')) ?? 'all',
  }
}

export const toUsageFilters = ({ groupBy, period, from, to, timeZone }: UsageView) => ({
  groupBy,
  ...(period === 'custom' ? { from, to } : { period }),
  ...(timeZone !== 'UTC' && { timeZone }),
})

type Cost = { creditMicros: string; ownKeyMicros: string }

/** Dollars. */
export const costOf = ({ creditMicros, ownKeyMicros }: Cost, paid: Payer) =>
  (paid === 'own' ? 0 : dollarsOf(creditMicros)) + (paid === 'credit' ? 0 : dollarsOf(ownKeyMicros))

type Behind = Pick<Usage, 'groupBy' | 'userId' | 'from' | 'until'>

/** The list of exactly the runs that a row or a part of a bar sums; without a key, of all rows. */
export function runsBehind(
  { groupBy, userId, ...period }: Behind,
  key?: string,
  interval: { from: string; until: string } = period,
) {
  return paths.runs({
    metered: true,
    ended_since: interval.from,
    ended_before: interval.until,
    triggered_by: userId,
    ...(key !== undefined && filterOf(groupBy, key)),
  })
}

function filterOf(groupBy: UsageGroupBy, key: string) {
  if (groupBy === 'day') return {}
  if (groupBy === 'model') return key === '' ? { without_model: true } : { model: key }
  return { [{ agent: 'agent', experiment: 'experiment_id', person: 'triggered_by' }[groupBy]]: key }
}

/** A share of what it was before, such as 0.12 for 12 % more; null if there was nothing. */
export const changeOf = (now: number, before: number) => (before > 0 ? now / before - 1 : null)
