import { type ComponentType, lazy } from 'react'

import type { ChartMetric } from '#contract/charts.ts'
import { PairCellPane } from '#src/features/results/compare/PairCellPane.tsx'
import { HeatmapView } from '#src/features/results/heatmap/HeatmapView.tsx'
import type { ResultsState, ResultsView } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps, ViewProps } from '#src/features/results/view/ViewState.tsx'

type Definition = {
  label: string
  View: ComponentType<ViewProps>
  /** It shows tests, so it can be searched for them. */
  searchesTests?: true
  /** What the side pane says about each run of a selected group or point. */
  metricsOf?: (state: ResultsState) => readonly ChartMetric[]
  /** A side pane of its own. */
  Pane?: ComponentType<PaneProps>
}

/** The views of an experiment's results, in the order of their tabs. All but the first load when they first open. */
export const resultsViews: Record<ResultsView, Definition> = {
  heatmap: { label: 'Heatmap', View: HeatmapView, searchesTests: true },
  scatter: {
    label: 'Scatter',
    View: lazy(async () => ({ default: (await import('#src/features/results/scatter/ScatterView.tsx')).ScatterView })),
    metricsOf: ({ against }) => ['passRate', against],
  },
  metric: {
    label: 'Metric',
    View: lazy(async () => ({ default: (await import('#src/features/results/metric/MetricView.tsx')).MetricView })),
    metricsOf: ({ metric }) => [metric],
  },
  compare: {
    label: 'Compare',
    View: lazy(async () => ({ default: (await import('#src/features/results/compare/CompareView.tsx')).CompareView })),
    Pane: PairCellPane,
  },
  flaky: {
    label: 'Flaky & uninformative tests',
    View: lazy(async () => ({ default: (await import('#src/features/results/flaky/FlakyView.tsx')).FlakyView })),
    searchesTests: true,
  },
}
