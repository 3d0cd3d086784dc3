type Point = { x: number; y: number }

/** Two measures of a sample of prompts, or of runs of one prompt: their means, variances (n − 1) and covariance. */
export type JointSpread = { n: number; mean: Point; varianceX: number; varianceY: number; covariance: number }

/** Half axes, longest first, and the angle of the first from the x axis in radians, in the units of the measures. */
export type Ellipse = { center: Point; halfAxes: [number, number]; angle: number }

/** Below four prompts or runs, the region would be larger than anything observed. */
export const fewestSampled = 4

/**
 * The 95 % confidence region of the true mean (Hotelling 1931) of a sample of prompts or runs, which themselves spread √n
 * times as far. Null where the sample is too small.
 */
export function ellipseOfMean({ n, mean, varianceX, varianceY, covariance }: JointSpread): Ellipse | null {
  if (n < fewestSampled) return null
  const middle = (varianceX + varianceY) / 2
  const reach = Math.hypot((varianceX - varianceY) / 2, covariance)
  const radius = Math.sqrt(hotellingLimit(n) / n)
  return {
    center: mean,
    halfAxes: [radius * Math.sqrt(middle + reach), radius * Math.sqrt(Math.max(0, middle - reach))],
    angle: Math.atan2(2 * covariance, varianceX - varianceY) / 2,
  }
}

/** The distance from its center to its rightmost point. */
export const ellipseReach = ({ halfAxes: [long, short], angle }: Ellipse) =>
  Math.hypot(long * Math.cos(angle), short * Math.sin(angle))

/** The 95 % quantile of Hotelling's T² for two measures: 2(n − 1)/(n − 2) × F(2, n − 2), which has a closed form. */
export const hotellingLimit = (n: number) => (n - 1) * (0.05 ** (-2 / (n - 2)) - 1)

/** Points on the outline, because the scales of x and y differ in a drawing. */
export function ellipseOutline({ center, halfAxes: [long, short], angle }: Ellipse, points = 64): Point[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return Array.from({ length: points + 1 }, (_, step) => {
    const turn = (step / points) * 2 * Math.PI
    const [along, across] = [long * Math.cos(turn), short * Math.sin(turn)]
    return { x: center.x + along * cos - across * sin, y: center.y + along * sin + across * cos }
  })
}
