import { counted } from '#src/format/numbers.ts'
import { formatP } from '#src/format/p-values.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { Fact } from '#src/ui/Fact.tsx'
import type { CorrectedPair } from './compare-pairs.ts'
import type { Correction } from './use-correction.ts'

type Props = {
  comparison: Comparison
  corrected: CorrectedPair | undefined
  correction: Correction
}

const ofItself = 'Two-sided p-value, from the same model as the interval'

/** Why a pair whose interval excludes zero is inconclusive: one of many pairs differs so much by chance. */
export const chanceSentence = (correctedP: number | null, groups: number) =>
  correctedP === null
    ? `The interval is about this pair alone. ${counted(groups, 'group')} are too many to tell whether the difference is more than chance.`
    : `The interval is about this pair alone. Among ${counted(groups, 'group')}, such a difference may be chance (corrected p ${formatP(correctedP)}).`

/** The p-values of a pair: the one that accounts for all groups, which the verdict follows, comes first. */
export function PairChance({ comparison, corrected, correction: { groups, isTooMany, error } }: Props) {
  const p = formatP(comparison.pValue)
  if (groups <= 2)
    return (
      <Fact name="p" title={ofItself}>
        {p}
      </Fact>
    )
  return (
    <>
      {!isTooMany && (
        <Fact name="Corrected p" title={`Accounts for comparing ${counted(groups, 'group')}`}>
          {corrected ? formatP(corrected.correctedP) : error ? 'not computed' : <span aria-busy="true">…</span>}
        </Fact>
      )}
      <Fact name="p, uncorrected" title={`${ofItself}; does not account for the other groups`}>
        {p}
      </Fact>
    </>
  )
}
