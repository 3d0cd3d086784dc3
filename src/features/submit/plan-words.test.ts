import { expect, test } from 'vitest'

import type { Variant } from '#contract/variants.ts'
import { publishedVariance } from '#statistics/leaderboard/plan-power.ts'
import { planOfVariants } from './plan-of-variants.ts'
import { planWords } from './plan-words.ts'

const published = { ...publishedVariance, pairs: 0, source: 'published' } as const
const wordsOf = (plan: { groups: number; prompts: number; repeats: number }) => planWords(plan, published, 0)

test('before a submission, the form says what difference its plan can show, and that prompts buy more than repeats', () => {
  const { shows, more, basis } = wordsOf({ groups: 2, prompts: 80, repeats: 5 }) ?? {}
  expect(shows).toBe(
    'This plan shows a difference of 12.1 points in solved runs with 80 % power, on prompts like these.',
  )
  expect(more).toBe(
    'For twice the runs, twice the prompts: 8.5 points; twice the repeats: 11.5 points. Prompts buy more: 81 % of the variance is between prompts, which repeats do not reduce.',
  )
  expect(basis).toContain('published results')
})

test('where prompts do not differ, prompts and repeats buy as much, and no variance between prompts is given as a reason', () => {
  const alike = { ...published, betweenPrompts: 0, withinPrompt: 0.2 }
  const moreOf = (prompts: number, repeats: number) => planWords({ groups: 2, prompts, repeats }, alike, 0)?.more
  expect(moreOf(80, 5)).toBe(
    'For twice the runs, twice the prompts: 6.3 points; twice the repeats: 6.3 points. Both buy as much.',
  )
  expect(moreOf(16, 2)).toMatch(/Prompts buy more\.$/)
})

test('more groups need a larger lead, and a group alone is planned for another one like it', () => {
  expect(wordsOf({ groups: 9, prompts: 80, repeats: 5 })?.shows).toMatch(
    /named best of its 9 groups, one has to be 13\.\d points ahead/,
  )
  expect(wordsOf({ groups: 1, prompts: 20, repeats: 5 })?.shows).toMatch(
    /25 points .* against a group with as many runs/,
  )
})

test('a plan that shows nothing says so, and one without groups says nothing', () => {
  const small = wordsOf({ groups: 2, prompts: 2, repeats: 1 })
  expect(small?.shows).toContain('too small to show any difference')
  expect(small?.more).toBe('Twice the prompts or twice the repeats would still be too small.')
  expect(wordsOf({ groups: 2, prompts: 0, repeats: 1 })?.shows).toContain('no prompt that all of them run')
  expect(wordsOf({ groups: 0, prompts: 0, repeats: 1 })).toBeNull()
})

const variant = (agent: string, prompt: string) =>
  ({
    variantId: `${agent}~${prompt}`,
    agent,
    agentMode: null,
    model: null,
    product: null,
    environment: null,
    prompt,
  }) as Variant

test('a plan compares its groups on the prompts that all of them run', () => {
  const variants = [variant('a', 'p'), variant('a', 'q'), variant('b', 'q'), variant('b', 'r')]
  expect(planOfVariants(variants, 3, 'agent')).toEqual({ groups: 2, prompts: 1, repeats: 3 })
  expect(planOfVariants([], 3, 'agent')).toEqual({ groups: 0, prompts: 0, repeats: 3 })
})
