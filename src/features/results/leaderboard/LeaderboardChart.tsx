import { IntervalPlot } from '#src/charts/interval/IntervalPlot.tsx'
import { ScatterPlot } from '#src/charts/scatter/ScatterPlot.tsx'
import { counted } from '#src/format/numbers.ts'
import { measures } from '#src/features/results/view/measures.ts'
import resultClasses from '#src/features/results/view/ResultsTab.module.css'
import type { LeaderboardRow } from '#statistics/leaderboard/leaderboard-rows.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { costAxisOf, toCostMarks } from './cost-marks.ts'
import type { BoardRate } from './leaderboard-parameters.ts'

type Props = { rows: readonly LeaderboardRow[]; rate: BoardRate; selected: string | null }

/** A leaderboard as pictures: the rates with their intervals, and what a solved task costs. */
export function LeaderboardChart({ rows, rate, selected }: Props) {
  const { label, format } = measures[rate]
  const sorted = rows.filter((row) => row[rate].share !== null).toSorted(byRate(rate))
  return (
    <>
      <Section title={`${label} by group`}>
        <IntervalPlot
          label={`${label}, with its 95 % confidence interval`}
          rows={sorted.map((row) => ({
            label: row.label,
            value: row[rate].share,
            interval: row[rate].interval,
            isWhole: rate === 'solved' && row.rank?.rank === 1,
          }))}
          format={(value) => format(value)}
        />
      </Section>
      <SolvedByCost rows={rows} selected={selected} />
    </>
  )
}

const byRate = (rate: BoardRate) => (a: LeaderboardRow, b: LeaderboardRow) =>
  (b[rate].share ?? 0) - (a[rate].share ?? 0)

function SolvedByCost({ rows, selected }: Omit<Props, 'rate'>) {
  const url = useQueryState()
  const axis = costAxisOf(rows)
  const marks = toCostMarks(rows, axis)
  const { label, measure } = axis
  const name = `Solved vs. ${label.toLowerCase()}`
  const left = rows.length - marks.length
  return (
    <Section title={name}>
      {marks.length === 0 ? (
        <EmptyState title="No cost or time recorded for these runs" hint="Switch to Table to see the groups." />
      ) : (
        <>
          <ScatterPlot
            label={`${name}, ${counted(marks.length, 'group')}`}
            groups={marks}
            points={null}
            x={{ ...measure, label }}
            y={measures.solved}
            selected={selected}
            onSelectGroup={(group) => url.push({ group, run: null })}
            onSelectPoints={() => {}}
          />
          <p className={resultClasses.legend}>
            <span>Dashed line: Pareto front (no group is better on both)</span>
            {left > 0 && <span>{counted(left, 'group')} without a value (see Table)</span>}
          </p>
        </>
      )}
    </Section>
  )
}
