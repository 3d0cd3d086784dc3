import type { Usage } from '#contract/usage.ts'
import { colorOfOthers, seriesOf as colorsOf } from '#src/charts/series.ts'
import { nameOfInterval } from '#src/format/dates.ts'
import { usd } from '#src/format/money.ts'
import { counted } from '#src/format/numbers.ts'
import { costOf, type Payer, runsBehind } from './usage-view.ts'
import { groupName, nameOfOthers } from './usage-words.ts'

/** The bars of the chart, and the series of their parts. */
export function usageBars(usage: Usage, paid: Payer) {
  const series = seriesOf(usage, paid)
  const bars = usage.intervals.map((interval, place) => {
    const here = usage.segments.filter((segment) => segment.interval === place)
    const name = nameOfInterval(interval.from, usage)
    const parts = series.flatMap(({ label, key, payer }, place) => {
      const segment = here.find((each) => each.key === key || usage.groupBy === 'day')
      const value = segment ? costOf(segment, payer) : 0
      if (!segment || value === 0) return []
      const words = `${name}, ${label}: ${usd(value)}, ${counted(segment.runs, 'run')}`
      // No filter of runs selects several models or people, so the part for others leads nowhere.
      const isOthers = key === null
      const href = isOthers ? undefined : runsBehind(usage, usage.groupBy === 'day' ? undefined : key, interval)
      return [{ series: place, value, href, words: isOthers ? `${words}. The table lists each of them` : words }]
    })
    const [cost, runs] = [sum(here.map((segment) => costOf(segment, paid))), sum(here.map(({ runs }) => runs))]
    return {
      key: interval.from,
      name,
      words: `${name}: ${usd(cost)}, ${counted(runs, 'run')}`,
      href: runsBehind(usage, undefined, interval),
      parts,
    }
  })
  return { series, bars }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** `color` is the index of its color. */
type Series = { key: string | null; label: string; payer: Payer; color: number }

export function seriesOf(usage: Usage, paid: Payer): Series[] {
  if (usage.groupBy === 'day') {
    const both: Series[] = [
      { key: '', label: 'Credit', payer: 'credit', color: 0 },
      { key: '', label: 'Own keys', payer: 'own', color: 1 },
    ]
    return both.filter(({ payer }) => paid === 'all' || payer === paid)
  }
  const keys = new Set(usage.segments.map(({ key }) => key))
  const own = usage.rows.filter(({ key }) => keys.has(key))
  const colors = colorsOf(own.map((row) => groupName(usage, row)))
  const named = own.map((row): Series => {
    const label = groupName(usage, row)
    return { key: row.key, label, payer: paid, color: colors.get(label) ?? colorOfOthers }
  })
  return keys.has(null)
    ? [...named, { key: null, label: nameOfOthers(usage, own.length), payer: paid, color: colorOfOthers }]
    : named
}
