import { expect, test } from 'vitest'

import { compareGroups } from './compare-groups.ts'
import { ellipseOfMean, ellipseOutline, ellipseReach, hotellingLimit } from './covariance-ellipse.ts'
import { holm } from './holm.ts'
import { meanOf, quantile, varianceOf } from './moments.ts'
import { moreRepeats } from './more-repeats.ts'
import { paretoFront } from './pareto-front.ts'
import { permutationP, smallestPossibleP } from './permutation.ts'
import { seededRandom } from './seeded-random.ts'
import { tOfTail, tailOfT } from './student.ts'

const runs = (cell: string, ...values: (number | null)[]) => values.map((value) => ({ cell, value }))

test("Student's t agrees with printed tables", () => {
  const table: [degrees: number, t: number][] = [
    [1, 12.706],
    [2, 4.303],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [120, 1.98],
    [Infinity, 1.96],
  ]
  for (const [degrees, t] of table) expect(tOfTail(0.05, degrees)).toBeCloseTo(t, 3)
  expect(tOfTail(0.4, Infinity)).toBeCloseTo(0.8416, 4)
  expect(tailOfT(1, 1)).toBeCloseTo(0.5, 10)
  expect(tailOfT(-2.5, 7.5)).toBe(tailOfT(2.5, 7.5))
})

test("Student's t and the normal distribution are exact to nine digits", () => {
  const exact: [t: number, degrees: number, tail: number][] = [
    [2.5, 1, 1 - (2 / Math.PI) * Math.atan(2.5)],
    [0.3, 2, 1 - 0.3 / Math.sqrt(2.09)],
    [7, 3, 1 - (2 / Math.PI) * (Math.atan(7 / Math.sqrt(3)) + (Math.sqrt(3) * 7) / 52)],
    [0, Infinity, 1],
    [0.5, Infinity, 0.6170750774519738],
    [1, Infinity, 0.3173105078629141],
    [1.959963984540054, Infinity, 0.05],
    [3, Infinity, 0.0026997960632601866],
    [5, Infinity, 5.733031437583869e-7],
  ]
  for (const [t, degrees, tail] of exact) expect(Math.abs(tailOfT(t, degrees) - tail)).toBeLessThan(tail * 1e-9)
  expect(tOfTail(0.05, Infinity)).toBeCloseTo(1.959963984540054, 9)
})

test('with one cell the comparison is Welch’s test: the plant weights of Dobson 1983 (R: PlantGrowth, ctrl against trt1)', () => {
  const control = [4.17, 5.58, 5.18, 6.11, 4.5, 4.61, 5.17, 4.53, 5.33, 5.14]
  const treated = [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69]
  const found = compareGroups(runs('', ...control), runs('', ...treated))
  const { interval, pValue, verdict, precision } = found
  // R: t.test(ctrl, trt1): t = 1.1913, df = 16.524, p-value = 0.2504, 95 % −0.2875162 to 1.0295162.
  expect((found.difference ?? 0) / (precision?.standardError ?? 1)).toBeCloseTo(1.1913, 4)
  expect(precision?.degrees).toBeCloseTo(16.524, 3)
  expect(interval?.low).toBeCloseTo(-0.2875162, 6)
  expect(interval?.high).toBeCloseTo(1.0295162, 6)
  expect(pValue).toBeCloseTo(0.2504, 4)
  expect(verdict).toBe('unresolved')
})

test('with single runs in cells the comparison is a paired test: the sleep data of Student 1908', () => {
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
  const toRuns = (values: number[]) => values.map((value, patient) => ({ cell: `patient ${patient}`, value }))
  const comparison = compareGroups(toRuns(second), toRuns(first))
  // R: t.test(paired = TRUE): t = 4.0621, df = 9, mean difference 1.58, 95 % 0.7001 to 2.4599.
  expect(comparison.difference).toBeCloseTo(1.58, 10)
  expect(comparison.precision?.degrees).toBeCloseTo(9, 10)
  expect(1.58 / (comparison.precision?.standardError ?? 0)).toBeCloseTo(4.0621, 4)
  expect(comparison.verdict).toBe('differs')
  expect(comparison.interval?.low).toBeCloseTo(0.7001, 4)
  expect(comparison.interval?.high).toBeCloseTo(2.4599, 4)
})

test('pairing removes the differences between cells, and every cell has the same weight', () => {
  const left = [...runs('hard', 0.2, 0.3, 0.25), ...runs('easy', 0.9, 1, 0.95, 0.95)]
  const right = [...runs('hard', 0.1, 0.2, 0.15), ...runs('easy', 0.8, 0.9, 0.85, 0.85)]
  const { difference, left: group, verdict } = compareGroups(left, right)
  expect(difference).toBeCloseTo(0.1, 10)
  expect(group.mean).toBeCloseTo((0.25 + 0.95) / 2, 10)
  expect(verdict).toBe('differs')
})

test('missing values and unmatched runs are excluded and counted', () => {
  const left = [...runs('a', 1, 2, null, 3, 2), ...runs('b', 1), ...runs('only left', 4, 4)]
  const right = [...runs('a', 1, 1, 2, 2), ...runs('b', 1, 2, null)]
  const { left: one, right: other, cells } = compareGroups(left, right)
  expect(cells.map(({ cell }) => cell)).toEqual(['a'])
  expect(one).toEqual({ used: 4, missing: 1, unmatched: 2, alone: 1, mean: 2 })
  expect(other).toEqual({ used: 4, missing: 1, unmatched: 0, alone: 2, mean: 1.5 })
})

test('there is no verdict when no outcome could be significant: 3 against 3 runs of one cell have only 20 labelings', () => {
  expect(smallestPossibleP([{ left: 3, right: 3 }])).toBeCloseTo(2 / 20, 10)
  expect(smallestPossibleP([{ left: 4, right: 4 }])).toBeCloseTo(2 / 70, 10)
  const few = compareGroups(runs('', 0, 0, 0.1), runs('', 1, 1, 0.9))
  expect(few).toMatchObject({ verdict: 'too few', interval: null, pValue: null })
  expect(few.difference).toBeCloseTo(-0.9333, 4)
  expect(compareGroups(runs('a', 1), runs('b', 1)).verdict).toBe('unmatched')
  expect(compareGroups(runs('a', null), runs('a', 1)).verdict).toBe('unmatched')
  expect(compareGroups(runs('a', 0), runs('a', 1, 1, 1, 1, 1, 1)).verdict).toBe('too few')
})

test('runs that never vary have no interval, and their verdict comes from the permutation test alone', () => {
  const sure = compareGroups(runs('', 1, 1, 1, 1), runs('', 0, 0, 0, 0))
  expect(sure).toMatchObject({ verdict: 'differs', difference: 1, interval: null })
  expect(sure.pValue).toBeCloseTo(2 / 70, 2)
  const same = compareGroups(runs('', 1, 1, 1, 1), runs('', 1, 1, 1, 1))
  expect(same).toMatchObject({ verdict: 'identical', difference: 0, interval: null, pValue: 1 })
  const crossed = [...runs('a', 1, 1, 1), ...runs('b', 0, 0, 0)]
  const other = [...runs('a', 0, 0, 0), ...runs('b', 1, 1, 1)]
  expect(compareGroups(crossed, other)).toMatchObject({ verdict: 'unresolved', difference: 0, pValue: 1 })
})

test('the interval stays within possible values, and the p-value always agrees with it', () => {
  const random = seededRandom(3)
  for (let trial = 0; trial < 200; trial += 1) {
    const draw = (chance: number) => runs('', ...Array.from({ length: 6 }, () => Number(random() < chance)))
    const { interval, pValue, verdict } = compareGroups(draw(0.85), draw(random()), { largest: 1 })
    if (!interval || pValue === null) continue
    expect(interval.low).toBeGreaterThanOrEqual(-1)
    expect(interval.high).toBeLessThanOrEqual(1)
    expect(interval.low > 0 || interval.high < 0).toBe(pValue < 0.05)
    expect(verdict).toBe(pValue < 0.05 ? 'differs' : 'unresolved')
  }
})

test('swapping the groups changes the sign of a difference and nothing else', () => {
  const [one, other] = [runs('', 3, 5, 4, 6, 9), runs('', 2, 3, 3, 1, 4)]
  const [there, back] = [compareGroups(one, other), compareGroups(other, one)]
  expect(back.difference).toBeCloseTo(-(there.difference ?? 0), 10)
  expect(back.interval?.low).toBeCloseTo(-(there.interval?.high ?? 0), 10)
  expect(compareGroups(one, other)).toEqual(there)
})

test('sampled permutations agree with complete enumeration', () => {
  const cells = [{ cell: '', left: [1, 1, 1, 1, 1], right: [0, 0, 0, 0, 0] }]
  expect(permutationP(cells, 1, seededRandom(1))).toBeCloseTo(2 / 252, 2)
})

test('Holm’s correction gives the example of Holm 1979 as in R (p.adjust)', () => {
  expect(holm([0.01, 0.02, 0.03, 0.005]).map((p) => Number(p?.toFixed(4)))).toEqual([0.03, 0.04, 0.04, 0.02])
  expect(holm([0.04, null, 0.9, 0.03])).toEqual([0.08, null, 0.9, 0.09].map((p, place) => (place === 0 ? 0.09 : p)))
  expect(holm([])).toEqual([])
})

test('the suggested repeats follow Cohen: 64 per group for half a standard deviation at 80 % power', () => {
  // Four runs per group with a standard deviation of 2/√3 each; the means differ by half of that.
  const deviation = 2 / Math.sqrt(3)
  const left = runs('', 1, 1, -1, -1)
  const right = left.map(({ cell, value }) => ({ cell, value: (value ?? 0) - deviation / 2 }))
  const comparison = compareGroups(left, right)
  expect(comparison.verdict).toBe('unresolved')
  expect(moreRepeats(comparison)).toEqual({ kind: 'repeats', repeats: 60 })
})

test('the verdict explains when repeats cannot help', () => {
  const unlike = compareGroups(runs('', 0, 1, 0, 1, 0.01), runs('', 0, 1, 0, 1, 0))
  expect(moreRepeats(unlike)).toEqual({ kind: 'more than', repeats: 200 })
  expect(moreRepeats(compareGroups(runs('', 0, 1, 0, 1), runs('', 0, 1, 0, 1)))).toEqual({ kind: 'no difference' })
  const clear = compareGroups(runs('', 1, 2, 1, 2, 1), runs('', 8, 9, 8, 9, 8))
  expect(moreRepeats(clear)).toEqual({ kind: 'not needed' })
})

test('no number of repeats is suggested from runs that do not vary', () => {
  expect(moreRepeats(compareGroups(runs('', 1, 1), runs('', 0, 0)))).toEqual({ kind: 'no variance' })
  expect(moreRepeats(compareGroups(runs('', 1, 1, 1), runs('', 0, 0, 0)))).toEqual({ kind: 'no variance' })
  const singleRuns = compareGroups([...runs('a', 1), ...runs('b', 1)], [...runs('a', 0), ...runs('b', 0)])
  expect(moreRepeats(singleRuns)).toEqual({ kind: 'no variance' })
  const settledCell = compareGroups([...runs('a', 1, 1), ...runs('b', 0, 1)], [...runs('a', 0, 0), ...runs('b', 1, 0)])
  expect(moreRepeats(settledCell)).toMatchObject({ kind: 'repeats' })
})

test('quantiles and variances match values computed by hand', () => {
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile([1, 2, 3, 10], share))).toEqual([1, 1.75, 2.5, 4.75, 10])
  expect(varianceOf([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(32 / 7, 12)
  expect(varianceOf([0.1, 0.1, 0.1])).toBe(0)
  expect(meanOf([1, 2, 6])).toBe(3)
})

test('the ellipse of independent measures is upright, and the ellipse of dependent measures is tilted', () => {
  // F(0.95; 2, 8) = 4.459 in printed tables, so T² = 2 × 9 / 8 × 4.459 = 10.03.
  expect(hotellingLimit(10)).toBeCloseTo(10.03, 2)
  const upright = ellipseOfMean({ n: 10, mean: { x: 5, y: 1 }, varianceX: 4, varianceY: 1, covariance: 0 })
  expect(upright?.angle).toBe(0)
  expect(upright?.halfAxes[0]).toBeCloseTo(2 * Math.sqrt(10.03 / 10), 3)
  expect(upright?.halfAxes[1]).toBeCloseTo(Math.sqrt(10.03 / 10), 3)
  const leaning = ellipseOfMean({ n: 10, mean: { x: 0, y: 0 }, varianceX: 1, varianceY: 1, covariance: 1 })
  expect(leaning?.angle).toBeCloseTo(Math.PI / 4, 10)
  expect(leaning?.halfAxes[1]).toBeCloseTo(0, 6)
  const reach = leaning && ellipseReach(leaning)
  expect(reach).toBeCloseTo(Math.sqrt(10.03 / 10), 3)
  expect(ellipseOfMean({ n: 3, mean: { x: 0, y: 0 }, varianceX: 1, varianceY: 1, covariance: 0 })).toBeNull()
  const outline = upright ? ellipseOutline(upright) : []
  expect(Math.max(...outline.map(({ x }) => x))).toBeCloseTo(5 + (upright?.halfAxes[0] ?? 0), 6)
})

test('the Pareto front keeps every point that no other point beats, including ties', () => {
  const entry = (name: string, cost: number, quality: number) => ({ name, cost, quality })
  const entries = [entry('dear', 9, 0.9), entry('worse', 5, 0.4), entry('cheap', 1, 0.5), entry('twin', 1, 0.5)]
  expect(paretoFront([...entries, entry('beaten', 9, 0.8)]).map(({ name }) => name)).toEqual(['cheap', 'twin', 'dear'])
})

test('equal runs are identical, with any number of runs on each side', () => {
  for (const [left, right] of [
    [6, 3],
    [7, 2],
    [24, 12],
  ] as const) {
    const of = (cell: string, value: number, size: number) => runs(cell, ...Array.from({ length: size }, () => value))
    const side = (size: number) => [...of('a', 4 / 7, size), ...of('b', 0.1, size), ...of('c', 2 / 7, size)]
    const { verdict, difference } = compareGroups(side(left), side(right))
    expect({ verdict, difference }).toEqual({ verdict: 'identical', difference: 0 })
  }
})
