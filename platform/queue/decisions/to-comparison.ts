import type { DecisionDesign, DecisionLook } from '#contract/until-decided.ts'
import type { Look } from '#statistics/stopping/until-decided.ts'

/** Names the groups of a look. */
export const toComparison = (
  { groups }: DecisionDesign,
  { left, right, difference, adjustedP, prompts }: Look,
): Pick<DecisionLook, 'left' | 'right' | 'difference' | 'pValue' | 'prompts'> => ({
  left: groups[left] ?? '',
  right: groups[right] ?? '',
  difference,
  pValue: adjustedP,
  prompts,
})
