import { OverviewTab } from '#src/features/experiments/OverviewTab.tsx'
import { ExperimentInsights } from '#src/features/insights/saved/ExperimentInsights.tsx'

/** An experiment at a glance: features know nothing of each other, so what two of them say of it meets here. */
export const Component = () => (
  <>
    <OverviewTab />
    <ExperimentInsights />
  </>
)
