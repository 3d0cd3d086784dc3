import { expect } from 'vitest'

import type { Covariance, Distribution } from '#contract/charts.ts'

type Value = number | null

const isKnown = (value: Value): value is number => value !== null
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviations = (values: readonly number[]) => {
  const center = mean(values)
  return values.map((value) => value - center)
}
const product = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? Number.NaN), 0) / (a.length - 1)

/** Linear interpolation between order statistics (R type 7), written from its definition. */
function quantile(values: readonly number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (position - Math.floor(position)) * (above - below)
}

const orNull = (n: number, least: number, compute: () => number) => (n < least ? null : compute())

/** The expected statistics of one metric, computed as in a textbook. */
export function plainDistribution(all: readonly Value[]): Distribution {
  const values = all.filter(isKnown)
  const n = values.length
  const spread = deviations(values)
  return {
    n,
    missing: all.length - n,
    mean: orNull(n, 1, () => mean(values)),
    sd: orNull(n, 2, () => Math.sqrt(product(spread, spread))),
    min: orNull(n, 1, () => Math.min(...values)),
    q1: orNull(n, 1, () => quantile(values, 0.25)),
    median: orNull(n, 1, () => quantile(values, 0.5)),
    q3: orNull(n, 1, () => quantile(values, 0.75)),
    max: orNull(n, 1, () => Math.max(...values)),
  }
}

/** Like plainDistribution, for two metrics of the same runs. */
export function plainCovariance(pairs: readonly (readonly [Value, Value])[]): Covariance {
  const complete = pairs.filter((pair): pair is [number, number] => isKnown(pair[0]) && isKnown(pair[1]))
  const [xs, ys] = [complete.map(([x]) => x), complete.map(([, y]) => y)]
  const [dx, dy] = [deviations(xs), deviations(ys)]
  const n = complete.length
  return {
    n,
    meanX: orNull(n, 1, () => mean(xs)),
    meanY: orNull(n, 1, () => mean(ys)),
    varianceX: orNull(n, 2, () => product(dx, dx)),
    varianceY: orNull(n, 2, () => product(dy, dy)),
    covariance: orNull(n, 2, () => product(dx, dy)),
  }
}

/** Expects the same shape and names, and numbers equal to a relative error of 1e-9. */
export function expectSameNumbers(actual: unknown, expected: unknown, path = '$') {
  if (typeof expected === 'number') {
    expect(typeof actual, path).toBe('number')
    const error = Math.abs(Number(actual) - expected) / Math.max(1, Math.abs(expected))
    expect(error, `${path}: ${String(actual)} instead of ${expected}`).toBeLessThanOrEqual(1e-9)
  } else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual ?? {}).sort(), path).toEqual(Object.keys(expected).sort())
    const entries = new Map(Object.entries(actual ?? {}))
    for (const [name, value] of Object.entries(expected)) expectSameNumbers(entries.get(name), value, `${path}.${name}`)
  } else expect(actual, path).toBe(expected)
}
