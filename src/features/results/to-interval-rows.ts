import type { IntervalRow } from '#src/charts/interval/IntervalPlot.tsx'
import type { Comparison } from '#src/statistics/compare-groups.ts'
import { meanOf } from '#src/statistics/moments.ts'

/** With more cells than this the plot shows the whole alone; the table below has every cell. */
const mostCells = 12

/** The whole difference with its interval, then each matched cell's own. */
export function toIntervalRows({ cells, difference, interval }: Comparison): IntervalRow[] {
  const whole = { label: 'All matched cells', value: difference, interval, isWhole: true }
  if (cells.length < 2 || cells.length > mostCells) return [whole]
  const rows = cells.map(({ cell, left, right }) => ({
    label: cell,
    value: meanOf(left) - meanOf(right),
    interval: null,
    isWhole: false,
  }))
  return [whole, ...rows]
}
