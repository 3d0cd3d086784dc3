import { ChartAxis, type ChartGroupBy, singleGroupings } from '#contract/charts.ts'
import type { Axes } from '#contract/variants.ts'

const valuesOf: Record<ChartAxis, (axes: Axes) => readonly string[]> = {
  agent: ({ agents }) => agents,
  agent_mode: ({ agentModes }) => agentModes,
  model: ({ models }) => models,
  product: ({ products }) => products,
  environment: ({ environments }) => environments,
  prompt: ({ prompts }) => prompts,
  // Versions are chosen by a filter. The trends show versions and times side by side.
  version: () => [],
  day: () => [],
  week: () => [],
  tags: () => [],
}

/** The order in which the axes of a grouping are named. */
const inOrder = Object.keys(valuesOf).map((axis) => ChartAxis.parse(axis))

const varies = (axes: Axes) => (axis: ChartAxis) => valuesOf[axis](axes).length > 1

/** What results are grouped by unless the URL says: the axes that vary, besides the prompt, which all groups share. */
export const defaultGrouping = (axes: Axes): ChartGroupBy =>
  inOrder.filter((axis) => axis !== 'prompt' && varies(axes)(axis)).join('~') || 'agent'

/** The groupings to choose from: the default, each axis alone, then every combination of the axes that vary. */
export function groupingChoices(axes: Axes, chosen: ChartGroupBy): ChartGroupBy[] {
  const combined = combinationsOf(inOrder.filter(varies(axes))).map((combination) => combination.join('~'))
  return [...new Set([defaultGrouping(axes), ...singleGroupings, ...combined, 'tags', chosen])]
}

/** Every non-empty combination, in the order of the axes. */
function combinationsOf([first, ...others]: readonly ChartAxis[]): ChartAxis[][] {
  if (first === undefined) return []
  const rest = combinationsOf(others)
  return [[first], ...rest.map((combination) => [first, ...combination]), ...rest]
}
