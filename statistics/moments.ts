export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Sums differences from the first value, so that equal values have exactly that mean. */
export const meanOf = (values: ArrayLike<number>) => {
  const first = values[0] ?? Number.NaN
  let sum = 0
  for (let place = 1; place < values.length; place += 1) sum += (values[place] ?? first) - first
  return first + sum / values.length
}

/** Unbiased, with n − 1. Equal values have a variance of exactly zero, even if their sum is rounded. */
export function varianceOf(values: readonly number[]) {
  if (values.every((value) => value === values[0])) return 0
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

/** Takes sorted values and interpolates linearly between two ranks (type 7 of Hyndman and Fan 1996). */
export function quantile(sorted: ArrayLike<number>, share: number) {
  const place = (sorted.length - 1) * share
  const [below = 0, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}
