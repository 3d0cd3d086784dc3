/**
 * One measured target. `floor` is a lower bound for the same work, measured in the same run. Times are only valid on
 * one machine; ratios are comparable.
 */
export type Measurement = {
  what: string
  unit: 'ms' | 'kB' | 'requests' | 'frames'
  ours: number
  floor?: number | undefined
  /**
   * A limit on `ours`, on `ours` / `floor`, or on either: a time measured on one machine comes with its ratio there,
   * which a slower or busier machine can still reach. Without a target the result is printed but not checked.
   */
  target?: { atMost?: number; ratio?: number }
}

/** Sends findings to the runner. A benchmark that was started directly prints them. */
export function report(measurements: readonly Measurement[]) {
  if (process.send) process.send(measurements)
  else printMeasurements(measurements)
}

export function printMeasurements(measurements: readonly Measurement[]) {
  console.table(
    measurements.map(({ what, unit, ours, floor, target }) => ({
      what,
      unit,
      ours: rounded(ours),
      floor: floor === undefined ? '' : rounded(floor),
      ratio: floor === undefined ? '' : rounded(ours / floor, 2),
      target: target ? describeTarget(target, unit) : '',
      '': target ? (isReached({ ours, floor, target }) ? 'ok' : 'OVER') : '',
    })),
  )
}

export const describeTarget = ({ atMost, ratio }: NonNullable<Measurement['target']>, unit: string) =>
  [atMost !== undefined && `≤ ${atMost} ${unit}`, ratio !== undefined && `≤ ${ratio} ×`].filter(Boolean).join(' or ')

export function isReached({
  ours,
  floor,
  target,
}: Pick<Measurement, 'ours' | 'target'> & { floor?: number | undefined }) {
  if (!target) return true
  const { atMost = -1, ratio = -1 } = target
  return ours <= atMost || (floor !== undefined && ours / floor <= ratio)
}

export function median(values: readonly number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The value that the given share of all values does not exceed. */
export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

export async function measureMs(work: () => Promise<unknown>) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function rounded(value: number, digits = 1) {
  return Number(value.toFixed(digits))
}
