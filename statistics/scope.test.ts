import { expect, test } from 'vitest'

import { compareGroups } from './compare-groups.ts'
import { morePrompts } from './more-prompts.ts'
import { moreRepeats } from './more-repeats.ts'

const names = (size: number) => Array.from({ length: size }, (_, place) => `prompt ${place}`)
const onPrompts = (values: readonly (readonly number[])[]) =>
  values.flatMap((ofPrompt, place) =>
    ofPrompt.map((value) => ({ cell: `prompt ${place}`, prompt: `prompt ${place}`, value })),
  )
const alike = (size: number, ...values: number[]) => onPrompts(names(size).map(() => values))

test('with eight or more matched prompts the verdict is about prompts like these, unless the other scope is requested', () => {
  const scopeOf = (size: number, scope: Parameters<typeof compareGroups>[2] = {}) =>
    compareGroups(alike(size, 1, 0), alike(size, 0, 1), scope).scope
  expect([2, 7, 8, 80].map((size) => scopeOf(size))).toEqual([
    'these prompts',
    'these prompts',
    'prompts like these',
    'prompts like these',
  ])
  expect(scopeOf(80, { scope: 'these prompts' })).toBe('these prompts')
  expect(scopeOf(2, { scope: 'prompts like these' })).toBe('prompts like these')
})

test('only prompts that both sides ran count toward the eight', () => {
  const left = alike(20, 1, 0)
  const { scope, prompts } = compareGroups(left, alike(7, 0, 1))
  expect({ scope, ...prompts }).toEqual({ scope: 'these prompts', used: 7, leftOut: 13, arePaired: true })
})

test('groups that share fewer than two prompts have no verdict on prompts like these', () => {
  const general = { scope: 'prompts like these' } as const
  const scopeOf = (left: string | null, right: string | null) =>
    compareGroups(
      [1, 0, 1, 0].map((value) => ({ cell: '', prompt: left, value })),
      [1, 0, 0, 0].map((value) => ({ cell: '', prompt: right, value })),
      general,
    )
  expect(scopeOf('terse', 'long')).toMatchObject({ scope: 'these prompts', prompts: { used: 2, arePaired: false } })
  expect(scopeOf('terse', 'terse')).toMatchObject({ scope: 'these prompts', prompts: { used: 1, arePaired: false } })
  expect(scopeOf(null, null)).toMatchObject({ scope: 'these prompts', prompts: { used: 0, leftOut: 0 } })
})

test('a verdict on prompts like these is a paired t-test: it agrees with R on the sleep data of Student 1908', () => {
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
  const found = compareGroups(onPrompts(second.map((value) => [value])), onPrompts(first.map((value) => [value])))
  // R: t.test(paired = TRUE): t = 4.0621, df = 9, p = 0.002833, mean difference 1.58, 95 % 0.7001142 to 2.4598858.
  expect(found).toMatchObject({ scope: 'prompts like these', verdict: 'differs' })
  expect(found.difference).toBeCloseTo(1.58, 10)
  expect(found.interval?.low).toBeCloseTo(0.7001142, 6)
  expect(found.interval?.high).toBeCloseTo(2.4598858, 6)
  expect(found.pValue).toBeCloseTo(0.002833, 6)
})

test('cells are averaged within a prompt first, so a prompt with more cells has no extra weight', () => {
  const cell = (prompt: string, environment: string, ...values: number[]) =>
    values.map((value) => ({ cell: `${prompt} · ${environment}`, prompt, value }))
  const others = names(7).slice(1)
  const left = [
    ...cell('prompt 0', 'old', 1, 1, 1, 1),
    ...cell('prompt 0', 'new', 0),
    ...others.flatMap((prompt) => cell(prompt, 'old', 0.5)),
  ]
  const right = [
    ...cell('prompt 0', 'old', 0),
    ...cell('prompt 0', 'new', 0, 0),
    ...others.flatMap((prompt) => cell(prompt, 'old', 0.5)),
  ]
  const found = compareGroups(left, right, { scope: 'prompts like these' })
  expect(found.difference).toBeCloseTo(0.5 / 7, 10)
  expect(found.left.mean).toBeCloseTo(0.5, 10)
  expect(found.precision?.degrees).toBe(6)
})

test('a cell with a single run counts on prompts like these, because the spread is between prompts', () => {
  const left = onPrompts([[0.9], ...names(9).map((_, place) => [place / 9, place / 9])])
  const found = compareGroups(left, alike(10, 0.3, 0.4))
  expect(found.left).toMatchObject({ used: 19, alone: 0 })
  expect(compareGroups(left, alike(10, 0.3, 0.4), { scope: 'these prompts' }).left).toMatchObject({
    used: 18,
    alone: 1,
  })
})

test('with fewer than six prompts every outcome could be chance, so there is no verdict', () => {
  const found = (size: number) =>
    compareGroups(onPrompts(names(size).map((_, place) => [0.8 + place / 50])), alike(size, 0.1), {
      scope: 'prompts like these',
    })
  expect(found(5)).toMatchObject({ verdict: 'too few', interval: null, pValue: null })
  expect(found(6).verdict).toBe('differs')
})

test('differences that vary only by rounding have no spread and therefore no interval', () => {
  const left = onPrompts([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2].map((value) => [value]))
  const right = onPrompts([0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1].map((value) => [value]))
  for (const scope of ['prompts like these', 'these prompts'] as const)
    expect(compareGroups(left, right, { scope })).toMatchObject({ interval: null, verdict: 'differs' })
  // Eight coins that all fall on one side: 2 / 2⁸.
  expect(compareGroups(left, right).pValue).toBeCloseTo(2 / 256, 10)
  const same = compareGroups(left, left)
  expect(same).toMatchObject({ verdict: 'identical', difference: 0, interval: null, pValue: 1 })
})

test('the p-value and the interval of a scope always agree', () => {
  for (let lead = 0; lead <= 0.4; lead += 0.02) {
    const left = onPrompts(names(12).map((_, place) => [lead + ((place * 7) % 12) / 12]))
    const { interval, pValue, verdict } = compareGroups(left, alike(12, 0.5))
    const isOutside = interval !== null && (interval.low > 0 || interval.high < 0)
    expect(isOutside).toBe((pValue ?? 1) < 0.05)
    expect(verdict).toBe(isOutside ? 'differs' : 'unresolved')
  }
})

test('the suggested prompts follow Cohen’s formula: a paired difference of half a standard deviation needs 34 pairs', () => {
  const half = Math.sqrt(7 / 8) / 2
  const left = onPrompts([1, -1, 1, -1, 1, -1, 1, -1].map((value) => [value + half * (8 / 7)]))
  const found = compareGroups(left, alike(8, 0))
  expect((found.difference ?? 0) / ((found.precision?.standardError ?? 0) * Math.sqrt(8))).toBeCloseTo(0.5, 10)
  // G*Power 3: t tests, matched pairs, dz = 0.5, α = 0.05 two-sided, power 0.8: total sample size 34.
  expect(morePrompts(found)).toEqual({ kind: 'prompts', prompts: 34 - 8, isMoreThan: false, repeats: 'unknown' })
})

test('more repeats help when runs vary, and never when prompts vary', () => {
  const steady = onPrompts([1, -1, 1, -1, 1, -1, 1, -1].map((value) => [value + 0.4, value + 0.4]))
  expect(morePrompts(compareGroups(steady, alike(8, 0, 0)))).toMatchObject({ repeats: 'never' })
  const noisy = compareGroups(
    onPrompts(names(8).map((_, place) => [1.4 + place / 10, -0.8 + place / 10])),
    alike(8, 1, -1),
  )
  const shaky = compareGroups(onPrompts(names(8).map((_, place) => [place % 2 ? 2.3 : -1.4, 0.2])), alike(8, 1, -1))
  expect(noisy.verdict).toBe('differs')
  expect(shaky.verdict).toBe('unresolved')
  expect(morePrompts(shaky)).toMatchObject({ kind: 'prompts', isMoreThan: false, repeats: expect.any(Number) })
  expect(morePrompts(noisy)).toEqual({ kind: 'not needed' })
})

test('the number of suggested prompts is capped at “more than 1,000”', () => {
  const left = onPrompts([1, -1, 1, -1, 1, -1, 1, -1].map((value) => [value + 0.001]))
  expect(morePrompts(compareGroups(left, alike(8, 0)))).toMatchObject({ prompts: 1000, isMoreThan: true })
})

test('no number of prompts is suggested from a difference that does not vary between prompts', () => {
  for (const size of [1, 2, 5]) {
    const found = compareGroups(alike(size, 1, 1), alike(size, 0, 0), { scope: 'prompts like these' })
    expect(found.verdict).toBe('too few')
    expect(morePrompts(found)).toEqual({ kind: 'no variance' })
  }
})

test('where one group has far fewer runs, the suggested prompts and repeats are as many as the score test needs, too', () => {
  const few = (prompts: number, runs: number) => onPrompts(names(prompts).map(() => Array<number>(runs).fill(1)))
  const many = (prompts: number, runs: number) =>
    onPrompts(
      names(prompts).map((_, place) => Array.from({ length: runs }, (_run, run) => (run < 2 - (place % 3) ? 0 : 1))),
    )
  const found = compareGroups(few(10, 2), many(10, 30))
  expect(morePrompts(found)).toEqual({ kind: 'prompts', prompts: 52, isMoreThan: false, repeats: 15 })
  expect(compareGroups(few(62, 2), many(62, 30)).pValue).toBeLessThan(0.05)
  expect(compareGroups(few(36, 2), many(36, 30)).pValue).toBeGreaterThan(0.1)
  const onThese = { scope: 'these prompts' } as const
  expect(moreRepeats(compareGroups(few(10, 2), many(10, 30), onThese))).toEqual({ kind: 'repeats', repeats: 15 })
  expect(compareGroups(few(10, 17), many(10, 45), onThese).pValue).toBeLessThan(0.05)
  expect(compareGroups(few(10, 10), many(10, 38), onThese).pValue).toBeGreaterThan(0.08)
})
