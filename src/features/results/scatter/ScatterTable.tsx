import type { EfficiencyMetric, ScatterSummary } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { inColumn, measures } from '#src/features/results/view/measures.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { count, emptyValue } from '#src/format/numbers.ts'
import { toScatterGroups } from './to-scatter-groups.ts'

type Props = {
  groups: ScatterSummary['groups']
  against: EfficiencyMetric
  selected: string | null
  onSelect: (group: string) => void
}

/** The numbers of the scatter plot, including groups that have no mark. */
export function ScatterTable({ groups, against, selected, onSelect }: Props) {
  const front = new Map(toScatterGroups(groups, against).map(({ group, isOnFront }) => [group, isOnFront]))
  const { label, format } = measures[against]
  return (
    <ResultsTable
      label="Groups"
      rows={groups}
      rowId={({ group }) => group}
      isOpen={({ group }) => group === selected}
      name={{ header: 'Group', text: ({ group }) => groupLabel(group), onChoose: ({ group }) => onSelect(group) }}
      columns={[
        { header: 'Runs', text: ({ runs }) => count(runs), value: ({ runs }) => runs },
        {
          header: 'Runs with both',
          text: ({ covariances }) => count(covariances[against].n),
          value: ({ covariances }) => covariances[against].n,
        },
        {
          header: 'Mean test pass rate',
          text: ({ covariances }) => inColumn('passRate', covariances[against].meanY, covariances[against].n),
          value: ({ covariances }) => covariances[against].meanY,
        },
        {
          header: `Mean ${label.toLowerCase()}`,
          text: ({ covariances }) => format(covariances[against].meanX),
          value: ({ covariances }) => covariances[against].meanX,
        },
        {
          header: 'Correlation',
          text: ({ covariances }) => correlation(covariances[against])?.toFixed(2) ?? emptyValue,
          value: ({ covariances }) => correlation(covariances[against]),
        },
        {
          header: 'Pareto-optimal',
          text: ({ group }) => (front.get(group) ? 'yes' : front.has(group) ? 'no' : emptyValue),
        },
      ]}
    />
  )
}

function correlation({ varianceX, varianceY, covariance }: ScatterSummary['totals']['covariances'][EfficiencyMetric]) {
  if (!varianceX || !varianceY || covariance === null) return null
  return covariance / Math.sqrt(varianceX * varianceY)
}
