/** The distribution of one metric over the runs of a group; null fields have too few values. */
export type BoxGroup = {
  group: string
  label: string
  /** Its denominator: `24 runs, 2 without a value`. */
  extent: string
  mean: number | null
  q1: number | null
  median: number | null
  q3: number | null
  max: number | null
  lowerWhisker: number | null
  upperWhisker: number | null
  /** The mark's description: name, quartiles, n. */
  words: string
}
