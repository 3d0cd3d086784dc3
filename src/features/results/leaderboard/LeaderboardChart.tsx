import type { ScoreMeasure } from '#contract/scores.ts'
import { IntervalPlot } from '#src/charts/interval/IntervalPlot.tsx'
import { measureOf } from '#src/features/results/view/measures.ts'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { BoardRate } from './leaderboard-parameters.ts'
import { SolvedByCost } from './SolvedByCost.tsx'

type Props = {
  rows: readonly LeaderboardRow[]
  rate: BoardRate
  /** A score that is shown instead of the rate. */
  score: ScoreMeasure | null
  selected: string | null
}

/** A leaderboard as pictures: the rates with their intervals and what a solved task costs, or a score with its intervals. */
export function LeaderboardChart({ rows, rate, score, selected }: Props) {
  const url = useQueryState()
  const { label, format } = measureOf(score ?? rate)
  const sorted = rows
    .map((row) => ({ row, ...shownOf(row, score ? null : rate) }))
    .filter(({ value }) => value !== null)
    .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))
  return (
    <>
      <Section title={`${score ? `Mean ${label}` : label} by group`}>
        <IntervalPlot
          label={`${label}, with its 95 % confidence interval`}
          rows={sorted.map(({ row, value, interval }) => ({
            label: row.label,
            value,
            interval,
            opens: row.group,
            isWhole: (score !== null || rate === 'solved') && row.rank?.rank === 1,
          }))}
          format={(value) => format(value)}
          selected={selected}
          onSelect={(group) => url.push({ group, run: null })}
        />
      </Section>
      {/* The scatter plot has a score against cost or time. */}
      {score === null && <SolvedByCost rows={rows} selected={selected} />}
    </>
  )
}

/** The value that the chart shows of a row: the rate, or else the mean of its score. */
function shownOf(row: LeaderboardRow, rate: BoardRate | null) {
  if (rate) return { value: row[rate].share, interval: row[rate].interval }
  const { mean, interval } = row.measuredMean
  return { value: mean, interval }
}
