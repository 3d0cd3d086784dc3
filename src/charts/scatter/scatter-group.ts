import type { Ellipse } from '#statistics/covariance-ellipse.ts'

/** The mean of one group of runs and its confidence region. */
export type ScatterGroup = {
  group: string
  label: string
  /** Its place in `seriesOf` all groups, which determines its color. */
  series: number
  mean: { x: number; y: number }
  ellipse: Ellipse | null
  isOnFront: boolean
  /** The mark's description: name, both means, n. */
  words: string
}
