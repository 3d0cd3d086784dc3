import { counted } from '#src/format/numbers.ts'
import type { Comparison } from '#src/statistics/compare-groups.ts'
import { Fact } from '#src/ui/Fact.tsx'
import type { CorrectedPair } from './compare-pairs.ts'
import { formatP } from './format-p.ts'
import type { Correction } from './use-correction.ts'

type Props = { comparison: Comparison; corrected: CorrectedPair | undefined; correction: Correction }

const ofItself = 'The level at which this pair’s own interval reaches zero'

/** How easily chance makes such a difference: for one pair of many first, then for this one as if it were alone. */
export function PairChance({ comparison, corrected, correction: { pairCount, isTooMany } }: Props) {
  const p = formatP(comparison.pValue)
  if (pairCount === 1)
    return (
      <Fact name="p" title={`${ofItself}. There is no other pair, so nothing to correct for`}>
        {p}
      </Fact>
    )
  return (
    <>
      {!isTooMany && (
        <Fact name="Corrected p (Holm)" title={`Corrected for being one of ${counted(pairCount, 'pair')}`}>
          {corrected ? formatP(corrected.correctedP) : '…'}
        </Fact>
      )}
      <Fact name="p, uncorrected" title={`${ofItself}, as if no other pair had been looked at`}>
        {p}
      </Fact>
    </>
  )
}
