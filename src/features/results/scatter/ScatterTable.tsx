import type { Covariance, ScatterSummary } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { inColumn, measureOf } from '#src/features/results/view/measures.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { count, emptyValue } from '#src/format/numbers.ts'
import { jointOf, measureName, sampleOf, type ScatterAxes, toScatterGroups } from './to-scatter-groups.ts'

type Props = {
  groups: ScatterSummary['groups']
  axes: ScatterAxes
  selected: string | null
  onSelect: (group: string) => void
}

/** The numbers of the scatter plot, including groups that have no mark. */
export function ScatterTable({ groups, axes, selected, onSelect }: Props) {
  const { quality, against } = axes
  const front = new Map(toScatterGroups(groups, axes).map(({ group, isOnFront }) => [group, isOnFront]))
  const rows = groups.map((statistics) => ({
    ...statistics,
    joint: jointOf(statistics, axes),
    mean: sampleOf(statistics, axes),
  }))
  return (
    <ResultsTable
      label="Groups"
      file={`${measureName(quality)} and ${measureName(against)} by group`}
      rows={rows}
      rowId={({ group }) => group}
      isOpen={({ group }) => group === selected}
      name={{ header: 'Group', text: ({ group }) => groupLabel(group), onChoose: ({ group }) => onSelect(group) }}
      columns={[
        { header: 'Runs', text: ({ runs }) => count(runs), value: ({ runs }) => runs },
        {
          header: 'Runs with both',
          text: ({ joint }) => count(joint.n),
          value: ({ joint }) => joint.n,
        },
        {
          header: quality === 'solved' ? 'Solved' : `Mean ${measureName(quality)}`,
          text: ({ mean }) => inColumn(quality, mean.meanY),
          value: ({ mean }) => mean.meanY,
        },
        {
          header: `Mean ${measureName(against)}`,
          text: ({ mean }) => measureOf(against).format(mean.meanX),
          value: ({ mean }) => mean.meanX,
        },
        {
          header: 'Correlation',
          text: ({ joint }) => correlation(joint)?.toFixed(2) ?? emptyValue,
          value: ({ joint }) => correlation(joint),
        },
        {
          header: 'Pareto-optimal',
          text: ({ group }) => (front.get(group) ? 'yes' : front.has(group) ? 'no' : emptyValue),
        },
      ]}
    />
  )
}

function correlation({ varianceX, varianceY, covariance }: Covariance) {
  if (!varianceX || !varianceY || covariance === null) return null
  return covariance / Math.sqrt(varianceX * varianceY)
}
