import type { TrendLine } from '#src/charts/trend/TrendPlot.tsx'
import { percent, pointsText } from '#src/format/numbers.ts'
import { type Trend, type TrendStep, byVersion } from '#src/statistics/leaderboard/trends.ts'

/** Trends as lines over all versions that any of them has. */
export function toTrendLines(trends: readonly Trend[]): { versions: string[]; lines: TrendLine[] } {
  const versions = [...new Set(trends.flatMap(({ steps }) => steps.map(({ version }) => version)))].toSorted(byVersion)
  const lines = trends.map(({ label, steps }) => ({
    label,
    places: steps.map((step) => ({
      x: step.version,
      value: step.row.solved.share,
      interval: step.row.solved.interval,
      words: describeStep(step),
    })),
  }))
  return { versions, lines }
}

export const verdictWords = {
  better: 'better',
  worse: 'worse',
  inconclusive: 'inconclusive',
  unknown: 'not enough data',
} as const

/** `droid · opus · v3: solved 58.8 % of 400 runs, +4.0 points since v2, inconclusive` */
export function describeStep({ row, change }: TrendStep) {
  const solved = `${row.label}: solved ${percent(row.solved.share, 1)} of ${row.counted} runs`
  return change
    ? `${solved}, ${pointsText(change.difference)} points since ${change.since}, ${verdictWords[change.verdict]}`
    : solved
}
