import type { IntervalRow } from '#src/charts/interval/IntervalPlot.tsx'
import type { Comparison } from '#src/statistics/compare-groups.ts'
import { meanOf } from '#src/statistics/moments.ts'
import { promptDifferences } from '#src/statistics/prompt-differences.ts'

/** With more parts than this the plot shows the whole alone; the table below has every cell. */
const maxParts = 12

/** The whole difference with its interval, then that of each part it is the mean of: matched prompts or cells. */
export function toIntervalRows({ scope, cells, difference, interval }: Comparison): IntervalRow[] {
  const isGeneral = scope === 'prompts like these'
  const label = isGeneral ? 'Prompts like these' : 'All matched cells'
  const parts = isGeneral
    ? promptDifferences(cells).map((part) => ({ label: part.prompt ?? 'no prompt', value: part.difference }))
    : cells.map(({ cell, left, right }) => ({ label: cell, value: meanOf(left) - meanOf(right) }))
  const whole = { label, value: difference, interval, isWhole: true }
  if (parts.length < 2 || parts.length > maxParts) return [whole]
  return [whole, ...parts.map((part) => ({ ...part, interval: null, isWhole: false }))]
}
