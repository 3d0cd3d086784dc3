import { groupOfVariant } from '#contract/until-decided.ts'
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

/** The prompts that every group of the question runs. */
export function promptsToDecide({ decideBy, decideLeft, decideRight }: Asked, variants: readonly Variant[]): number {
  const groups = groupsToDecide(decideBy, variants)
  const asked = decideLeft ? [decideLeft, decideRight] : [...groups.keys()]
  const [first = new Set(), ...others] = asked.map((group) => groups.get(group) ?? new Set<string>())
  return others.reduce((shared, prompts) => shared.intersection(prompts), first).size
}

/** Why these variants cannot stop when the question is decided; null if they can, or if they run to their end. */
export function whyNotDecidable(asked: Asked, variants: readonly Variant[]): string | null {
  const { decideBy, decideLeft, decideRight } = asked
  if (decideBy === '' || variants.length === 0) return null
  const groups = groupsToDecide(decideBy, variants)
  if (groups.size < 2) return 'To stop when decided, select variants of at least two groups'
  if (decideLeft && (decideLeft === decideRight || !groups.has(decideLeft) || !groups.has(decideRight)))
    return 'To stop when decided, choose two of the selected groups'
  const { fewestPrompts } = stoppingRule
  const prompts = promptsToDecide(asked, variants)
  return prompts > fewestPrompts
    ? null
    : `To stop when decided, every group needs more than ${fewestPrompts} common prompts; there ${prompts === 1 ? 'is' : 'are'} ${counted(prompts, 'prompt')}`
}
