import { CellPane } from '#src/features/results/heatmap/CellPane.tsx'
import { GroupPane } from '#src/features/results/view/GroupPane.tsx'
import { PointsPane } from '#src/features/results/view/PointsPane.tsx'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { resultsViews } from './results-views.tsx'

/** The side pane that the URL opens: the runs of a cell, of a group, or of points. */
export function OpenPane({ experiment, state }: PaneProps) {
  const { cell, group, runUuids, view } = state
  if (cell)
    return (
      <CellPane key={`${cell.group} ${cell.test}`} experiment={experiment} parameters={state.parameters} cell={cell} />
    )
  const { Pane, metricsOf } = resultsViews[view]
  if (Pane) return <Pane experiment={experiment} state={state} />
  if (!metricsOf) return null
  const shared = { experiment, parameters: withoutTestSearch(state.parameters), metrics: metricsOf(state) }
  if (runUuids.length > 0) return <PointsPane {...shared} runUuids={runUuids} />
  return group === null ? null : <GroupPane key={group} {...shared} group={group} />
}
