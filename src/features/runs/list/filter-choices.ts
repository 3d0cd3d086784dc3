import type { ExperimentSummary } from '#contract/experiments.ts'
import type { Axes } from '#contract/variants.ts'

/** Filter options for a list of runs beyond the values of its rows. */
export type FilterChoices = {
  axes: Axes
  /** Id → name. */
  experiments: ReadonlyMap<string, string>
}

/** Every value in the latest versions of these experiments, sorted. */
export function choicesOf(experiments: readonly Pick<ExperimentSummary, 'id' | 'name' | 'axes'>[]): FilterChoices {
  const valuesOf = (axis: keyof Axes) => [...new Set(experiments.flatMap(({ axes }) => axes[axis]))].toSorted()
  return {
    axes: {
      agents: valuesOf('agents'),
      agentModes: valuesOf('agentModes'),
      models: valuesOf('models'),
      products: valuesOf('products'),
      environments: valuesOf('environments'),
      prompts: valuesOf('prompts'),
    },
    experiments: new Map(experiments.map(({ id, name }) => [id, name])),
  }
}
