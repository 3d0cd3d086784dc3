import { axesOfGrouping, type ChartAxis } from '#contract/grouping-axes.ts'

const axisLabels: Record<ChartAxis, string> = {
  version: 'Version',
  model: 'Model',
  agent: 'Agent',
  agent_mode: 'Agent mode',
  prompt: 'Prompt',
  environment: 'Environment',
  product: 'Product',
  day: 'Day',
  week: 'Week',
  tags: 'Tags',
}

/** The names of the axes of a grouping, in its order: `Agent`, `Model`. */
export const axisNamesOf = (groupBy: string) => axesOfGrouping(groupBy).map((axis) => axisLabels[axis])
