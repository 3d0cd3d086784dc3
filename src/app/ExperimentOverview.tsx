import { OverviewTab } from '#src/features/experiments/OverviewTab.tsx'
import { ExperimentInsights } from '#src/features/insights/saved/ExperimentInsights.tsx'

/** The overview tab. Features can't import each other, so this file combines them. */
export const Component = () => (
  <>
    <OverviewTab />
    <ExperimentInsights />
  </>
)
