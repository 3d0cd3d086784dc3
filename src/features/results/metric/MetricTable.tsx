import type { ChartMetric, MetricGroup } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { measures } from '#src/features/results/view/measures.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { count } from '#src/format/numbers.ts'

type Props = {
  groups: readonly MetricGroup[]
  metric: ChartMetric
  selected: string | null
  onSelect: (group: string) => void
}

/** The numbers of the box plot. */
export function MetricTable({ groups, metric, selected, onSelect }: Props) {
  const { format } = measures[metric]
  return (
    <ResultsTable
      label="Groups"
      rows={groups}
      rowId={({ group }) => group}
      isOpen={({ group }) => group === selected}
      name={{ header: 'Group', text: ({ group }) => groupLabel(group), onChoose: ({ group }) => onSelect(group) }}
      columns={[
        { header: 'Runs', text: ({ runs }) => count(runs), value: ({ runs }) => runs },
        { header: 'n with value', text: ({ n }) => count(n), value: ({ n }) => n },
        { header: 'Mean', text: ({ mean }) => format(mean), value: ({ mean }) => mean },
        { header: 'SD', text: ({ sd }) => format(sd), value: ({ sd }) => sd },
        { header: 'Min', text: ({ min }) => format(min), value: ({ min }) => min },
        { header: 'Q1', text: ({ q1 }) => format(q1), value: ({ q1 }) => q1 },
        { header: 'Median', text: ({ median }) => format(median), value: ({ median }) => median },
        { header: 'Q3', text: ({ q3 }) => format(q3), value: ({ q3 }) => q3 },
        { header: 'Max', text: ({ max }) => format(max), value: ({ max }) => max },
        { header: 'Outliers', text: ({ outliers }) => count(outliers), value: ({ outliers }) => outliers },
      ]}
    />
  )
}
