import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartParameters } from '#contract/charts.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import type { CompareState } from './compare-parameters.ts'
import { cellOf } from './compare-sides.ts'
import { chooseSides } from './choose-sides.ts'
import { RunLine } from './RunLine.tsx'
import { SidePane } from './SidePane.tsx'
import classes from './SidePane.module.css'

type Props = { experimentId: string; parameters: ChartParameters; compare: CompareState; cell: string }

/** The runs of both groups in one matched cell. */
export function PairCellPane({ experimentId, parameters, compare, cell }: Props) {
  const { data, error, refetch } = useQuery(chartRunsOptions(experimentId, parameters))
  const versions = useQuery(versionListOptions(experimentId))
  const chosen =
    data && chooseSides(data.runs, { compare, groupBy: parameters.groupBy, versions: versions.data?.versions })
  return (
    <SidePane label="Runs of the matched cell" title={cell || 'Every run'}>
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} />}
      {chosen && (
        <>
          <RunsOf label={chosen.left.label} runs={inCell(chosen.sides.left)} measure={compare.measure} />
          <RunsOf label={chosen.right.label} runs={inCell(chosen.sides.right)} measure={compare.measure} />
        </>
      )}
    </SidePane>
  )

  function inCell(runs: readonly ChartRun[]) {
    return runs.filter((run) => cellOf(run, chosen?.sides.matchedBy ?? []) === cell)
  }
}

const RunsOf = ({ label, runs, measure }: { label: string; runs: ChartRun[]; measure: CompareState['measure'] }) => (
  <>
    <p className={classes.counts}>
      {label}: {counted(runs.length, 'run')}
    </p>
    <ul className={classes.list}>
      {runs.map((run) => (
        <RunLine key={run.runId} run={run} metrics={[measure]} />
      ))}
    </ul>
  </>
)
