import { counted } from '#src/format/numbers.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { Fact } from '#src/ui/Fact.tsx'
import type { CorrectedPair } from './compare-pairs.ts'
import { formatP } from './format-p.ts'
import type { Correction } from './use-correction.ts'

type Props = { comparison: Comparison; corrected: CorrectedPair | undefined; correction: Correction }

const ofItself = 'Two-sided p-value, from the same model as the interval'

/** The p-values of a pair: corrected for the number of pairs first, then uncorrected. */
export function PairChance({ comparison, corrected, correction: { pairCount, isTooMany } }: Props) {
  const p = formatP(comparison.pValue)
  if (pairCount === 1)
    return (
      <Fact name="p" title={ofItself}>
        {p}
      </Fact>
    )
  return (
    <>
      {!isTooMany && (
        <Fact name="Corrected p (Holm)" title={`Corrected for comparing ${counted(pairCount, 'pair')}`}>
          {corrected ? formatP(corrected.correctedP) : '…'}
        </Fact>
      )}
      <Fact name="p, uncorrected" title={`${ofItself}; not corrected for the other pairs`}>
        {p}
      </Fact>
    </>
  )
}
