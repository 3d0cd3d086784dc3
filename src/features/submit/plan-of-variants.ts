import type { ChartGroupBy } from '#contract/charts.ts'
import { groupOfVariant } from '#contract/until-decided.ts'
import { type PromptTasks, tasksAmong } from '#contract/prompt-tasks.ts'
import type { Variant } from '#contract/variants.ts'
import type { Plan } from '#statistics/leaderboard/plan-power.ts'

/** The groups that a submission compares, and the prompts that all of them run. */
export type GroupedPlan = Plan & { groups: number }

/** What a leaderboard with this grouping would compare after the submission. */
export function planOfVariants(
  variants: readonly Variant[],
  repeats: number,
  groupBy: ChartGroupBy,
  promptTasks: PromptTasks = [],
): GroupedPlan {
  const groups = Map.groupBy(variants, (variant) => groupOfVariant(groupBy, variant))
  const prompts = [...groups.values()].map((group) => new Set(group.map(({ prompt }) => prompt)))
  const shared = prompts.reduce((all, own) => all.intersection(own), prompts[0] ?? new Set<string | null>())
  const { named, size: tasks } = tasksAmong(shared, promptTasks)
  return { groups: groups.size, prompts: shared.size, ...(named.length > 0 && { tasks }), repeats }
}
