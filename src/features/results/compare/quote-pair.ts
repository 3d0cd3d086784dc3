import type { ChartMeasure } from '#contract/charts.ts'
import { counted } from '#src/format/numbers.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { comparisonSentence } from '#src/format/comparison-sentence.ts'
import { type PairNames, describeVerdict, isSamePair } from './compare-pairs.ts'
import { formatP } from './format-p.ts'
import { measureOf } from '#src/features/results/view/measures.ts'
import type { Correction } from './use-correction.ts'

type ExportedView = {
  names: PairNames
  labels: PairNames
  measure: ChartMeasure
  correction: Pick<Correction, 'pairCount' | 'pairs'>
}

/** Quotes a pair in a report, always with its corrected verdict. */
export function quotePair(comparison: Comparison, { names, labels, measure, correction }: ExportedView): string {
  const { pairs, pairCount } = correction
  const sentence = comparisonSentence(comparison, { ...labels, words: measureOf(measure).words })
  const corrected = pairs?.find((pair) => isSamePair(pair, names))
  if (pairCount === 1) return `${sentence}\np ${formatP(comparison.pValue)}.`
  const uncorrected = `p ${formatP(comparison.pValue)} uncorrected, one of ${counted(pairCount, 'pair')}.`
  if (!corrected) return `${sentence}\n${uncorrected}`
  return `${sentence}\nCorrected (Holm): ${describeVerdict(corrected)}, p ${formatP(corrected.correctedP)}; ${uncorrected}`
}
