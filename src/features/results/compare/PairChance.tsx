import { counted } from '#src/format/numbers.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { Fact } from '#src/ui/Fact.tsx'
import type { CorrectedPair } from './compare-pairs.ts'
import type { CompareState } from './compare-parameters.ts'
import { formatP } from './format-p.ts'
import type { Correction } from './use-correction.ts'

type Props = {
  comparison: Comparison
  corrected: CorrectedPair | undefined
  correction: Correction
  among: CompareState['among']
}

const ofItself = 'Two-sided p-value, from the same model as the interval'

/** Says both of a pair whose difference is more than chance alone, and may be chance among all pairs. */
export const chanceSentence = (p: number | null, correctedP: number | null, pairs: number) =>
  `More than chance between these two (p ${formatP(p)}); among all ${counted(pairs, 'pair')} it could be chance (corrected p ${formatP(correctedP)}).`

/** Which half of that sentence answers the reader's question. */
export const whichCounts: Record<CompareState['among'], string> = {
  'these two':
    'The first part answers the leaderboard, which asks only whether its best group beats every other one. The second counts if you look for any pair that differs.',
  'all pairs':
    'The second part counts if you look for any pair that differs, the first if you asked only about these two before you saw the results.',
}

/** The p-values of a pair. The one that answers the question, of all pairs or of these two, comes first. */
export function PairChance({ comparison, corrected, correction: { pairCount, isTooMany }, among }: Props) {
  const p = formatP(comparison.pValue)
  if (pairCount === 1)
    return (
      <Fact name="p" title={ofItself}>
        {p}
      </Fact>
    )
  const ofAll = !isTooMany && (
    <Fact name="Corrected p (Holm)" title={`Corrected for comparing ${counted(pairCount, 'pair')}`}>
      {corrected ? formatP(corrected.correctedP) : '…'}
    </Fact>
  )
  const ofTwo = (
    <Fact name="p, uncorrected" title={`${ofItself}; not corrected for the other pairs`}>
      {p}
    </Fact>
  )
  return among === 'these two' ? (
    <>
      {ofTwo}
      {ofAll}
    </>
  ) : (
    <>
      {ofAll}
      {ofTwo}
    </>
  )
}
