import type { Usage, UsageGroupBy } from '#contract/usage.ts'
import { counted, percent } from '#src/format/numbers.ts'
import { nameOfInterval } from '#src/format/dates.ts'
import { usd } from '#src/format/money.ts'
import { changeOf } from './usage-view.ts'

export const groupingNames: Record<UsageGroupBy, string> = {
  model: 'Model',
  agent: 'Agent',
  experiment: 'Experiment',
  person: 'Person',
  day: 'Day',
}

type Named = Pick<Usage, 'groupBy' | 'timeZone' | 'intervalUnit'>

export function groupName({ groupBy, timeZone, intervalUnit }: Named, { key, label }: { key: string; label: string }) {
  if (groupBy === 'day') return nameOfInterval(key, { timeZone, intervalUnit })
  return label || (groupBy === 'model' ? 'No model' : 'Not named')
}

const others: Record<UsageGroupBy, [one: string, many: string]> = {
  model: ['other model', 'other models'],
  agent: ['other agent', 'other agents'],
  experiment: ['other experiment', 'other experiments'],
  person: ['other person', 'other people'],
  day: ['other day', 'other days'],
}

/** `12 other models`: the rows that share a part of each bar. */
export function nameOfOthers({ groupBy, rows, rest }: Pick<Usage, 'groupBy' | 'rows' | 'rest'>, named: number) {
  const [one, many] = others[groupBy]
  return rest ? `All ${many}` : counted(rows.length - named, one, many)
}

/** `+12 %`, `−3 %`, `new`. */
export function changeWords(change: number | null, now: number): string {
  if (change === null) return now > 0 ? 'new' : '–'
  const size = percent(Math.abs(change))
  return change === 0 ? size : `${change < 0 ? '−' : '+'}${size}`
}

/** `$4.14 (+12 %)`, and where nothing was spent before: `$4.14 (nothing in the previous 14 days)`. */
export function totalWords(cost: number, before: number, length: string): string {
  if (before > 0) return `${usd(cost)} (${changeWords(changeOf(cost, before), cost)})`
  return cost > 0 ? `${usd(cost)} (nothing in the previous ${length})` : usd(cost)
}

/** `14 days`: how long the period and the previous one are. */
export function lengthWords({ from, until }: Pick<Usage, 'from' | 'until'>) {
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000
  if (days < 1) return `${Math.max(1, Math.round(days * 24))} h`
  return days < 1.5 ? 'day' : `${Math.round(days)} days`
}
