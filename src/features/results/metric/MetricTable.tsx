import type { ChartMeasure } from '#contract/charts.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { inColumn, labelInSentence } from '#src/features/results/view/measures.ts'
import type { ResultColumn } from '#src/features/results/view/result-columns.ts'
import { ResultsTable } from '#src/features/results/view/ResultsTable.tsx'
import { count } from '#src/format/numbers.ts'
import { formatBeside, meanText, medianText, type MetricRow } from './metric-groups.ts'
import { rateOfMetric } from './metric-parameters.ts'

type Props = {
  rows: readonly MetricRow[]
  metric: ChartMeasure
  selected: string | null
  onSelect: (group: string) => void
}

/** The numbers of the chart. */
export function MetricTable({ rows, metric, selected, onSelect }: Props) {
  const format = metric === 'costUsd' ? formatBeside(rows, metric) : (value: number | null) => inColumn(metric, value)
  return (
    <ResultsTable
      label="Groups"
      file={`${labelInSentence(metric)} by group`}
      rows={rows}
      rowId={({ group }) => group}
      isOpen={({ group }) => group === selected}
      name={{ header: 'Group', text: ({ group }) => groupLabel(group), onChoose: ({ group }) => onSelect(group) }}
      columns={[
        { header: 'Runs', text: ({ runs }) => count(runs), value: ({ runs }) => runs },
        { header: 'n with value', text: ({ n }) => count(n), value: ({ n }) => n },
        {
          header: 'Mean',
          text: (row) => meanText(row, format),
          value: ({ mean }) => mean,
        },
        ...(rateOfMetric(metric) ? intervalColumns(format) : []),
        { header: 'SD', text: ({ sd }) => format(sd), value: ({ sd }) => sd },
        { header: 'Min', text: ({ min }) => format(min), value: ({ min }) => min },
        { header: 'Q1', text: ({ q1 }) => format(q1), value: ({ q1 }) => q1 },
        {
          header: 'Median',
          text: (row) => medianText(row, format),
          value: ({ median, cut }) => (cut ? cut.median : median),
        },
        { header: 'Q3', text: ({ q3 }) => format(q3), value: ({ q3 }) => q3 },
        { header: 'Max', text: ({ max }) => format(max), value: ({ max }) => max },
        { header: 'Outliers', text: ({ outliers }) => count(outliers), value: ({ outliers }) => outliers },
      ]}
    />
  )
}

const intervalColumns = (format: (value: number | null) => string): ResultColumn<MetricRow>[] =>
  (['low', 'high'] as const).map((end) => {
    const value = ({ rate }: MetricRow) => rate?.interval?.[end] ?? null
    return {
      header: `95 % ${end}`,
      hint: `The ${end} end of the 95 % interval`,
      text: (row) => format(value(row)),
      value,
    }
  })
