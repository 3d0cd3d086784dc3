import { useSearchParams } from 'react-router'

import type { Experiment } from '#contract/experiments.ts'
import { CellPane } from '#src/features/results/heatmap/CellPane.tsx'
import { comparedParameters, readCompareState } from '#src/features/results/compare/compare-parameters.ts'
import { GroupPane } from '#src/features/results/view/GroupPane.tsx'
import { PairCellPane } from '#src/features/results/compare/PairCellPane.tsx'
import { PointsPane } from '#src/features/results/view/PointsPane.tsx'
import { type ResultsState, withoutTestSearch } from '#src/features/results/view/results-parameters.ts'

/** The side pane that the URL opens: the runs of a cell, of a group, or of points. */
export function OpenPane({ experiment, state }: { experiment: Experiment; state: ResultsState }) {
  const [search] = useSearchParams()
  const { cell, group, runUuids, view } = state
  if (cell)
    return (
      <CellPane key={`${cell.group} ${cell.test}`} experiment={experiment} parameters={state.parameters} cell={cell} />
    )
  if (view === 'compare') {
    const compare = readCompareState(search)
    if (compare.cell === null) return null
    const parameters = comparedParameters(compare, withoutTestSearch(state.parameters))
    return <PairCellPane experiment={experiment} parameters={parameters} compare={compare} cell={compare.cell} />
  }
  if (view !== 'scatter' && view !== 'metric') return null
  const shared = {
    experiment,
    parameters: withoutTestSearch(state.parameters),
    metrics: view === 'scatter' ? (['passRate', state.against] as const) : [state.metric],
  }
  if (runUuids.length > 0) return <PointsPane {...shared} runUuids={runUuids} />
  return group === null ? null : <GroupPane key={group} {...shared} group={group} />
}
