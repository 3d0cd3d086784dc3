import type { ChartAxis, ChartGroupBy } from '#contract/charts.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import type { Variant } from '#contract/variants.ts'
import type { Plan } from '#statistics/leaderboard/plan-power.ts'

/** The groups that a submission compares, and the prompts that all of them run. */
export type GroupedPlan = Plan & { groups: number }

const valueOf: Partial<Record<ChartAxis, (variant: Variant) => string | null>> = {
  agent: ({ agent }) => agent,
  agent_mode: ({ agentMode }) => agentMode,
  model: ({ model }) => model,
  product: ({ product }) => product,
  environment: ({ environment }) => environment,
}

/** What a leaderboard with this grouping would compare after the submission. */
export function planOfVariants(variants: readonly Variant[], repeats: number, groupBy: ChartGroupBy): GroupedPlan {
  const axes = axesOfGrouping(groupBy)
  const groups = Map.groupBy(variants, (variant) => JSON.stringify(axes.map((axis) => valueOf[axis]?.(variant) ?? '')))
  const prompts = [...groups.values()].map((group) => new Set(group.map(({ prompt }) => prompt)))
  const shared = prompts.reduce((all, own) => all.intersection(own), prompts[0] ?? new Set<string | null>())
  return { groups: groups.size, prompts: shared.size, repeats }
}
