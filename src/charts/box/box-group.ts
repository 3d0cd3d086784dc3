/** One metric over the runs of a group; null fields have too few values. */
export type BoxGroup = {
  group: string
  label: string
  /** Its place in `seriesOf` all groups, which determines its color. */
  series: number
  /** Its denominator: `24 runs, 2 without a value`. */
  extent: string
  /** What the row is read for, at its end: `median $0.42`. */
  value: string
  mean: number | null
  min: number | null
  q1: number | null
  median: number | null
  q3: number | null
  max: number | null
  lowerWhisker: number | null
  upperWhisker: number | null
  /** A rate with its 95 % interval, which is drawn instead of the box. */
  dot?: { value: number; interval: { low: number; high: number } | null }
  /** How its values spread: `median $0.42, quartiles $0.30 to $0.61, mean $0.45`. */
  spread: string
  /** The mark's description: name, quartiles, n. */
  words: string
}
