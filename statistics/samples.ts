import { type MatchedCell, isSingle } from './match-cells.ts'
import { meanOf, varianceOf } from './moments.ts'
import { differencesOf } from './prompt-differences.ts'

/**
 * Independent runs with the same distribution. The difference of two groups is a weighted sum of the means of such
 * samples.
 */
export type Sample = { weight: number; values: readonly number[] }

/**
 * Every matched cell has the same weight. A cell with several runs on both sides gives two samples: its left runs and
 * its right runs. Cells with a single run on a side have no measurable spread, so their differences together form one
 * sample. Its spread includes that between cells, which makes the result more cautious.
 */
export function toSamples(cells: readonly MatchedCell[]): Sample[] {
  const weight = 1 / cells.length
  const single = cells.filter(isSingle)
  const samples = cells
    .filter((cell) => !isSingle(cell))
    .flatMap(({ left, right }) => [
      { weight, values: left },
      { weight: -weight, values: right },
    ])
  if (single.length === 0) return samples
  const differences = differencesOf(single.map(({ left, right }) => ({ left: meanOf(left), right: meanOf(right) })))
  return [...samples, { weight: weight * single.length, values: differences }]
}

export const estimateOf = (samples: readonly Sample[]) =>
  samples.reduce((sum, { weight, values }) => sum + weight * meanOf(values), 0)

/** The standard error of the estimate and its degrees of freedom (Satterthwaite 1946). */
export type Precision = { standardError: number; degrees: number }

type Spread = { weight: number; size: number; variance: number }

export const spreadOf = ({ weight, values }: Sample): Spread => ({
  weight,
  size: values.length,
  variance: varianceOf(values),
})

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
