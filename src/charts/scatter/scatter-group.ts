import type { Ellipse } from '#src/statistics/covariance-ellipse.ts'

/** The mean of one group of runs, and where its true mean may lie. */
export type ScatterGroup = {
  group: string
  label: string
  /** Its place among all groups, which decides its colour. */
  series: number
  mean: { x: number; y: number }
  ellipse: Ellipse | null
  isOnFront: boolean
  /** What the mark says: name, both means, n. */
  words: string
}
