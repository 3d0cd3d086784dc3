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
  `If you chose this pair before you saw the results, the difference is more than chance (p ${formatP(p)}). If you picked it out of ${counted(pairs, 'pair')}, it may be chance (corrected p ${formatP(correctedP)}).`

/** The p-values of a pair. The one that answers the question, of all pairs or of these two, comes first. */
export function PairChance({ comparison, corrected, correction: { pairCount, isTooMany, error }, among }: Props) {
  const p = formatP(comparison.pValue)
  if (pairCount === 1)
    return (
      <Fact name="p" title={ofItself}>
        {p}
      </Fact>
    )
  const ofAll = !isTooMany && (
    <Fact name="Corrected p (Holm)" title={`Corrected for comparing ${counted(pairCount, 'pair')}`}>
      {corrected ? formatP(corrected.correctedP) : error ? 'not computed' : <span aria-busy="true">…</span>}
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
