/** In a file without schemas, because the worker that compares groups needs no more of the contract than this. */
export const chartAxes = [
  'model',
  'agent',
  'agent_mode',
  'prompt',
  'environment',
  'product',
  'version',
  'day',
  'week',
  'tags',
] as const
export type ChartAxis = (typeof chartAxes)[number]

const isAxis = (text: string): text is ChartAxis => chartAxes.some((axis) => axis === text)

/** The axes of a grouping, in its order; all of a run's own axes for `variant` are one value, so it has none. */
export const axesOfGrouping = (groupBy: string): ChartAxis[] => groupBy.split('~').filter(isAxis)
