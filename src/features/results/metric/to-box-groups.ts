import type { ChartMetric, MetricGroup } from '#contract/charts.ts'
import type { BoxGroup } from '#src/charts/box/box-group.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { measures } from '#src/features/results/view/measures.ts'
import { counted } from '#src/format/numbers.ts'

/** Groups as rows of a box plot; one whose runs all lack the metric keeps its row, empty. */
export const toBoxGroups = (groups: readonly MetricGroup[], metric: ChartMetric): BoxGroup[] =>
  groups.map((group) => {
    const { format } = measures[metric]
    const label = groupLabel(group.group)
    const extent =
      group.n === 0
        ? `${counted(group.missing, 'run')} without a value`
        : counted(group.n, 'run') + (group.missing > 0 ? `, ${group.missing} without a value` : '')
    const spread =
      group.n === 0
        ? 'no value'
        : `median ${format(group.median)}, quartiles ${format(group.q1)} to ${format(group.q3)}, mean ${format(group.mean)}`
    return { ...group, label, extent, words: `${label} ${extent}: ${spread}` }
  })
