import { groupOfVariant } from '#contract/until-decided.ts'
import { type PromptTasks, tasksAmong } from '#contract/prompt-tasks.ts'
import type { Variant } from '#contract/variants.ts'
import { counted } from '#src/format/numbers.ts'
import { stoppingRule } from '#statistics/stopping/until-decided.ts'
import type { SubmissionValues } from './submission-values.ts'

type Asked = Pick<SubmissionValues, 'decideBy' | 'decideLeft' | 'decideRight'>

/** The groups that these variants make, in their order, each with its prompts. */
export function groupsToDecide(groupBy: string, variants: readonly Variant[]) {
  const byGroup = Map.groupBy(variants, (variant) => groupOfVariant(groupBy, variant))
  return new Map([...byGroup].map(([group, own]) => [group, new Set(own.flatMap(({ prompt }) => prompt ?? []))]))
}

/** `12 prompts`, those that every group of the question runs; or their tasks, where one names its task. */
export function promptsToDecide(
  { decideBy, decideLeft, decideRight }: Asked,
  variants: readonly Variant[],
  promptTasks: PromptTasks = [],
) {
  const groups = groupsToDecide(decideBy, variants)
  const asked = decideLeft ? [decideLeft, decideRight] : [...groups.keys()]
  const [first = new Set<string>(), ...others] = asked.map((group) => groups.get(group) ?? new Set<string>())
  const shared = others.reduce((all, prompts) => all.intersection(prompts), first)
  const { named, size } = tasksAmong(shared, promptTasks)
  return { size, noun: named.length > 0 ? 'task' : 'prompt' }
}

/** Why these variants cannot stop when the question is decided; null if they can, or if they run to their end. */
export function whyNotDecidable(asked: Asked, variants: readonly Variant[], promptTasks?: PromptTasks): string | null {
  const { decideBy, decideLeft, decideRight } = asked
  if (decideBy === '' || variants.length === 0) return null
  const groups = groupsToDecide(decideBy, variants)
  if (groups.size < 2) return 'To stop when decided, select variants of at least two groups'
  if (decideLeft && (decideLeft === decideRight || !groups.has(decideLeft) || !groups.has(decideRight)))
    return 'To stop when decided, choose two of the selected groups'
  const { fewestPrompts } = stoppingRule
  const { size, noun } = promptsToDecide(asked, variants, promptTasks)
  return size > fewestPrompts
    ? null
    : `To stop when decided, every group needs more than ${fewestPrompts} common ${noun}s; there ${size === 1 ? 'is' : 'are'} ${counted(size, noun)}`
}
