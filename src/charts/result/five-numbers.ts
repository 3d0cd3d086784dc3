import { quantile } from '#statistics/moments.ts'

/** Quartiles by linear interpolation including both ends (R type 7), like the charts on the Results tab. */
export function fiveNumbers(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)]
  const reach = 1.5 * (q3 - q1)
  const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach)
  return {
    n: sorted.length,
    q1,
    median,
    q3,
    lowerWhisker: inside[0] ?? q1,
    upperWhisker: inside.at(-1) ?? q3,
    outliers: sorted.filter((value) => value < q1 - reach || value > q3 + reach),
  }
}
