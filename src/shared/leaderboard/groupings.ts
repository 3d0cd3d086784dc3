import { ChartAxis, type ChartGroupBy, singleGroupings } from '#contract/charts.ts'
import type { Axes, Variant } from '#contract/variants.ts'

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

type Varied = { axes: Axes; variants: readonly Pick<Variant, 'prompt' | 'environment'>[] }

/**
 * Whether no prompt has variants in two environments, so that the environment is a part of the task: groups by environment
 * would share no prompt.
 */
function environmentsBelongToPrompts(variants: Varied['variants']): boolean {
  const environments = new Map<string | null, string | null>()
  return variants.every(({ prompt, environment }) => {
    const known = environments.get(prompt)
    if (known === undefined) environments.set(prompt, environment)
    return known === undefined || known === environment
  })
}

/** What results are grouped by unless the URL says: the axes that vary, besides those of the task, which all groups share. */
export function defaultGrouping({ axes, variants }: Varied): ChartGroupBy {
  const isOfTask = (axis: ChartAxis) =>
    axis === 'prompt' || (axis === 'environment' && environmentsBelongToPrompts(variants))
  return inOrder.filter((axis) => varies(axes)(axis) && !isOfTask(axis)).join('~') || 'agent'
}

/** The groupings to choose from: the default, each axis alone, then every combination of the axes that vary. */
export function groupingChoices(varied: Varied, chosen: ChartGroupBy): ChartGroupBy[] {
  const combined = combinationsOf(inOrder.filter(varies(varied.axes))).map((combination) => combination.join('~'))
  return [...new Set([defaultGrouping(varied), ...singleGroupings, ...combined, 'tags', chosen])]
}

/** Every non-empty combination, in the order of the axes. */
function combinationsOf([first, ...others]: readonly ChartAxis[]): ChartAxis[][] {
  if (first === undefined) return []
  const rest = combinationsOf(others)
  return [[first], ...rest.map((combination) => [first, ...combination]), ...rest]
}
