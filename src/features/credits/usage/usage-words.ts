import type { Usage, UsageGroupBy } from '#contract/usage.ts'
import { percent } from '#src/format/numbers.ts'
import { nameOfInterval } from '#src/format/dates.ts'

export const groupingNames: Record<UsageGroupBy, string> = {
  model: 'Model',
  agent: 'Agent',
  experiment: 'Experiment',
  person: 'Person',
  day: 'Day',
}

type Named = Pick<Usage, 'groupBy' | 'timeZone' | 'intervalUnit'>

export function nameOf({ groupBy, timeZone, intervalUnit }: Named, { key, label }: { key: string; label: string }) {
  if (groupBy === 'day') return nameOfInterval(key, { timeZone, intervalUnit })
  return label || (groupBy === 'model' ? 'No model' : 'Not named')
}

/** `+12 %`, `−3 %`, `new`. */
export function changeWords(change: number | null, now: number): string {
  if (change === null) return now > 0 ? 'new' : '–'
  const size = percent(Math.abs(change))
  return change === 0 ? size : `${change < 0 ? '−' : '+'}${size}`
}

/** `14 days`: how long the period and the previous one are. */
export function lengthWords({ from, until }: Pick<Usage, 'from' | 'until'>) {
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000
  if (days < 1) return `${Math.max(1, Math.round(days * 24))} h`
  return days < 1.5 ? 'day' : `${Math.round(days)} days`
}
