import { type ComponentType, lazy } from 'react'

import type { ChartMeasure } from '#contract/charts.ts'
import { scoreNameOf } from '#contract/score-measures.ts'
import { HeatmapView } from '#src/features/results/heatmap/HeatmapView.tsx'
import { LeaderboardView } from '#src/features/results/leaderboard/LeaderboardView.tsx'
import type { ResultsState } from '#src/features/results/view/results-parameters.ts'
import type { ResultsView } from '#src/shared/figures/view-names.ts'
import type { PaneProps, ViewProps } from '#src/features/results/view/ViewState.tsx'

type Definition = {
  View: ComponentType<ViewProps>
  /** The metrics that the side pane shows for each run of a group or point. */
  metricsOf?: (state: ResultsState) => readonly ChartMeasure[]
  /** The view's own side pane, if it has one. */
  Pane?: ComponentType<PaneProps>
}

/** How each view is shown. All but the first and the heatmap load on first use. */
export const resultsViews: Record<ResultsView, Definition> = {
  leaderboard: {
    View: LeaderboardView,
    metricsOf: ({ metric }) => ['solved', ...(scoreNameOf(metric) === null ? [] : [metric]), 'costUsd'],
  },
  trends: {
    View: lazy(async () => ({ default: (await import('#src/features/results/trends/TrendsView.tsx')).TrendsView })),
    Pane: lazy(async () => ({ default: (await import('#src/features/results/trends/TrendPane.tsx')).TrendPane })),
  },
  failures: {
    View: lazy(async () => ({
      default: (await import('#src/features/results/failures/FailuresView.tsx')).FailuresView,
    })),
    Pane: lazy(async () => ({
      default: (await import('#src/features/results/failures/SignaturePane.tsx')).SignaturePane,
    })),
  },
  heatmap: { View: HeatmapView },
  scatter: {
    View: lazy(async () => ({ default: (await import('#src/features/results/scatter/ScatterView.tsx')).ScatterView })),
    metricsOf: ({ quality, against }) => [quality, against],
  },
  metric: {
    View: lazy(async () => ({ default: (await import('#src/features/results/metric/MetricView.tsx')).MetricView })),
    metricsOf: ({ metric }) => [metric],
  },
  compare: {
    View: lazy(async () => ({ default: (await import('#src/features/results/compare/CompareView.tsx')).CompareView })),
    Pane: lazy(async () => ({
      default: (await import('#src/features/results/compare/PairCellPane.tsx')).PairCellPane,
    })),
  },
  flaky: {
    View: lazy(async () => ({ default: (await import('#src/features/results/flaky/FlakyView.tsx')).FlakyView })),
  },
}
