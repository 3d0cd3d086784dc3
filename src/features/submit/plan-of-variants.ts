import type { ChartGroupBy } from '#contract/charts.ts'
import { groupOfVariant } from '#contract/until-decided.ts'
import type { Variant } from '#contract/variants.ts'
import type { Plan } from '#statistics/leaderboard/plan-power.ts'

/** The groups that a submission compares, and the prompts that all of them run. */
export type GroupedPlan = Plan & { groups: number }

/** What a leaderboard with this grouping would compare after the submission. */
export function planOfVariants(variants: readonly Variant[], repeats: number, groupBy: ChartGroupBy): GroupedPlan {
  const groups = Map.groupBy(variants, (variant) => groupOfVariant(groupBy, variant))
  const prompts = [...groups.values()].map((group) => new Set(group.map(({ prompt }) => prompt)))
  const shared = prompts.reduce((all, own) => all.intersection(own), prompts[0] ?? new Set<string | null>())
  return { groups: groups.size, prompts: shared.size, repeats }
}
