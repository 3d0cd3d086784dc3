import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import type { ChartRun } from '#contract/chart-runs.ts'
import type { ScatterParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { chooseSides, partOfSides } from './choose-sides.ts'
import { comparedParameters, type CompareState, readCompareState } from './compare-parameters.ts'
import { cellOf, partOfCell } from './compare-sides.ts'
import { quoteRuns } from '#src/features/results/view/quote-runs.ts'
import { MeasuredRunLines } from '#src/features/results/view/RunLines.tsx'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { SidePane } from '#src/features/results/view/SidePane.tsx'
import classes from '#src/features/results/view/SidePane.module.css'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { ExportPart } from '#src/features/results/view/ExportPart.tsx'

/** The runs of both groups in the matched cell in the URL. */
export function PairCellPane({ experiment, state }: PaneProps) {
  const [search] = useSearchParams()
  const compare = readCompareState(search)
  if (compare.cell === null) return null
  const parameters = comparedParameters(compare, withoutTestSearch(state.parameters))
  return <CellRuns {...{ experiment, parameters, compare }} cell={compare.cell} />
}

type Props = { experiment: Experiment; parameters: ScatterParameters; compare: CompareState; cell: string }

function CellRuns({ experiment, parameters, compare, cell }: Props) {
  const { data, error, refetch } = useQuery(chartRunsOptions(experiment.id, parameters))
  const versions = useQuery(versionListOptions(experiment.id)).data?.versions
  const chosen = data && chooseSides(data.runs, { compare, groupBy: parameters.groupBy, versions })
  const inCell = (runs: readonly ChartRun[]) =>
    runs.filter((run) => cellOf(run, chosen?.sides.matchedBy ?? []) === cell)
  const sides = chosen
    ? [
        { label: chosen.left.label, runs: inCell(chosen.sides.left) },
        { label: chosen.right.label, runs: inCell(chosen.sides.right) },
      ]
    : []
  const sample = sides[0]?.runs[0] ?? sides[1]?.runs[0]
  const title = cell || 'All runs'
  const metrics = [compare.measure]
  return (
    <SidePane label="Matched runs" title={title}>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} />}
      {data && chosen && sample && (
        <ExportPart
          experiment={experiment}
          scope={{ parameters, version: data.version }}
          part={{
            ...partOfCell(sample, chosen.sides.matchedBy),
            ...partOfSides(compare, { left: chosen.left.value, right: chosen.right.value }),
          }}
          title={`${title}, ${chosen.left.label} and ${chosen.right.label}`}
          quote={() => sides.map(({ label, runs }) => `${label}\n${quoteRuns(runs, metrics)}`).join('\n\n')}
          metrics={metrics}
        />
      )}
      {sides.map(({ label, runs }) => (
        <RunsOf key={label} label={label} runs={runs} metrics={metrics} />
      ))}
    </SidePane>
  )
}

type SideProps = { label: string; runs: readonly ChartRun[]; metrics: CompareState['measure'][] }

const RunsOf = ({ label, runs, metrics }: SideProps) => (
  <>
    <p className={classes.counts}>
      {label}: {counted(runs.length, 'run')}
    </p>
    <MeasuredRunLines runs={runs} metrics={metrics} />
  </>
)
