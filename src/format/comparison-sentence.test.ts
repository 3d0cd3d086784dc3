import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { type MeasureWords, comparisonSentence } from './comparison-sentence.ts'
import type { Scope } from '#statistics/scope.ts'

const words: MeasureWords = {
  verb: 'scores',
  unit: ['point', 'points'],
  bare: (value) => String(Math.round(value * 100)),
  more: 'higher',
  less: 'lower',
  detail: 'in mean test pass rate',
}
const names = { left: 'careful', right: 'hasty', words }
const runs = (cell: string, ...values: (number | null)[]) => values.map((value) => ({ cell, prompt: cell, value }))
const say = (left: ReturnType<typeof runs>, right: ReturnType<typeof runs>, scope: Scope | null = null) =>
  comparisonSentence(compareGroups(left, right, { largest: 1, scope }), names)

const low = runs('a', 0.5, 0.52, 0.48, 0.5, 0.51, 0.49)
const high = runs('a', 0.7, 0.72, 0.68, 0.7, 0.71, 0.69)

test('the sentence on a significant difference includes its scope, interval and counts', () => {
  expect(say(high, low)).toBe(
    'careful scores 20 points higher than hasty in mean test pass rate on this prompt: 95 % CI +18 to +22 (6 vs 6 runs).',
  )
  expect(say(low, high)).toContain(
    'careful scores 20 points lower than hasty in mean test pass rate on this prompt: 95 % CI −22 to −18',
  )
})

test('the sentence on an inconclusive difference includes its sign and interval', () => {
  expect(say(runs('a', 0, 1, 0, 1, 1), runs('a', 0, 1, 0, 1, 0))).toMatch(
    /^Inconclusive on this prompt: careful − hasty = \+20 points, 95 % CI −\d+ to \+\d+ \(5 vs 5 runs\)\.$/,
  )
})

/** Ten prompts with two runs per side. The left side is better on each prompt, by amounts that vary a little. */
const prompts = Array.from({ length: 10 }, (_, place) => `prompt ${place}`)
const left = prompts.flatMap((prompt, place) => runs(prompt, 0.5 + place / 50, 0.52 + place / 50))
const right = prompts.flatMap((prompt) => runs(prompt, 0.4, 0.42))

test('the sentence names its scope: prompts like these or these prompts', () => {
  expect(say(left, right)).toMatch(
    /^careful scores 19 points higher than hasty in mean test pass rate on prompts like these: 95 % CI \+\d+ to \+\d+ \(10 prompts, 20 vs 20 runs\)\.$/,
  )
  expect(say(left, right, 'these prompts')).toMatch(/ on these 10 prompts: 95 % CI .* \(20 vs 20 runs\)\.$/)
  const swinging = prompts.flatMap((prompt, place) => runs(prompt, place % 2 ? 0.9 : 0, place % 2 ? 0.9 : 0))
  expect(say(swinging, right)).toMatch(
    /^Inconclusive on prompts like these: careful − hasty = \+4 points, 95 % CI −\d+ to \+\d+ \(10 prompts, 20 vs 20 runs\)\.$/,
  )
})

test('prompts that only one side ran are excluded, and the sentence counts them', () => {
  expect(say([...left, ...runs('extra', 1, 1)], [...right, ...runs('other', 0), ...runs('third', null)])).toContain(
    '(10 prompts, 20 vs 20 runs, 3 prompts excluded)',
  )
})

test('the sentence counts combinations beside prompts when a prompt has several', () => {
  const twice = (list: typeof left) =>
    list.flatMap((run) => ['x', 'y'].map((axis) => ({ ...run, cell: run.cell + axis })))
  expect(say(twice(left), twice(right))).toContain('(10 prompts, 40 vs 40 runs, 20 matched combinations)')
})

test('without an interval the sentence says what is unknown', () => {
  expect(say(runs('a', 1, 1), runs('a', 0, 0))).toBe(
    'Not enough runs to compare careful with hasty on this prompt (observed +100 points; 2 vs 2 runs).',
  )
  expect(say(runs('a', 1, 1, 1, 1), runs('a', 1, 1, 1, 1))).toBe(
    'No difference observed: all runs of careful and hasty have the same result on this prompt. They may still differ by up to 53 points on this prompt (95 % confidence; 4 vs 4 runs).',
  )
  expect(say(runs('a', 1, 1, 1, 1), runs('a', 0, 0, 0, 0))).toBe(
    'careful scores 100 points higher than hasty in mean test pass rate on this prompt (no confidence interval: these runs do not show how much the difference changes by chance; 4 vs 4 runs).',
  )
  expect(say(runs('a', 1, 1), runs('a', 1, 1))).toBe(
    'Not enough runs to compare careful with hasty on this prompt (observed 0 points, at most 78 points with 95 % confidence; 2 vs 2 runs).',
  )
  expect(say(runs('a', 1), runs('b', 1))).toBe(
    'careful and hasty cannot be matched because they share no combination of the other axes.',
  )
  expect(say(runs('a', null), runs('a', 1))).toBe('No run of careful has a value to compare.')
  expect(say(runs('a', 1), runs('a', 1, 0))).toBe(
    'Not enough runs to compare careful with hasty: only one prompt or combination matches, and one side has a single run of it.',
  )
})

test('when all prompts differ by the same amount, or there are too few, the difference on other prompts is unknown', () => {
  const alike = (value: number, size = 8) => prompts.slice(0, size).flatMap((prompt) => runs(prompt, value, value))
  expect(say(alike(0.9), alike(0.8))).toContain(
    'on prompts like these (no confidence interval: the difference is the same on every prompt, so its spread over prompts is unknown; 8 prompts, 16 vs 16 runs).',
  )
  expect(say(alike(1), alike(1))).toBe(
    'No difference observed: on each matched prompt, all runs of careful and hasty have the same result. They may still differ by up to 31 points on prompts like these (95 % confidence; 8 prompts, 16 vs 16 runs).',
  )
  const few = (list: typeof left) => list.filter(({ prompt }) => prompts.indexOf(prompt) < 5)
  expect(say(few(left), few(right), 'prompts like these')).toBe(
    'Not enough prompts to compare careful with hasty on prompts like these: at least 6 are needed (observed +14 points; 5 prompts, 10 vs 10 runs).',
  )
})
