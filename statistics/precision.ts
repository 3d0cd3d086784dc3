import { differencesOf } from './differences.ts'
import { meanOf, varianceOf } from './moments.ts'
import type { RunSummary } from './run-summary.ts'

/** The runs of both groups on one prompt, or in one cell. */
export type Stratum = { left: RunSummary; right: RunSummary }

/** One side with a single run shows nothing about how runs of this prompt vary. */
export const isSingle = ({ left, right }: Stratum) => left.runs === 1 || right.runs === 1

/** Independent runs with the same distribution. A difference of two groups is a weighted sum of the means of such samples. */
type Spread = { weight: number; size: number; variance: number }

/**
 * Every stratum has the same weight. One with several runs on both sides gives two samples: its left runs and its right
 * runs. The differences of strata with a single run on a side together form one sample. Its spread includes that between
 * strata, which makes the result more cautious.
 */
export function spreadsOf(strata: readonly Stratum[]): Spread[] {
  const weight = 1 / strata.length
  const spreads = strata
    .filter((stratum) => !isSingle(stratum))
    .flatMap(({ left, right }) =>
      [left, right].map(({ runs, variance }) => ({ weight, size: runs, variance: variance ?? 0 })),
    )
  const single = strata.filter(isSingle)
  if (single.length === 0) return spreads
  const differences = stratumDifferences(single)
  return [...spreads, { weight: weight * single.length, size: differences.length, variance: varianceOf(differences) }]
}

const stratumDifferences = (strata: readonly Stratum[]) =>
  differencesOf(strata.map(({ left, right }) => ({ left: left.mean, right: right.mean })))

/** Left minus right: the mean of the differences of all strata. */
export const differenceOf = (strata: readonly Stratum[]) => meanOf(stratumDifferences(strata))

/** The standard error of the estimate and its degrees of freedom (Satterthwaite 1946). */
export type Precision = { standardError: number; degrees: number }

/** With `added`, the precision after adding that many runs to every sample, if they vary like the existing ones. */
export function precisionOf(spreads: readonly Spread[], added = 0): Precision {
  let [variance, uncertainty] = [0, 0]
  for (const spread of spreads) {
    const size = spread.size + added
    const part = (spread.weight ** 2 * spread.variance) / size
    variance += part
    uncertainty += part ** 2 / (size - 1)
  }
  return { standardError: Math.sqrt(variance), degrees: uncertainty > 0 ? variance ** 2 / uncertainty : 0 }
}
