import { expect, test } from 'vitest'

import { selectVariants } from '#contract/select-variants.ts'
import type { Variant } from '#contract/variants.ts'

import {
  type Chosen,
  coverageOf,
  laterVariantsOf,
  noSelectors,
  selectedVariants,
  toggleValue,
  toggleVariant,
  toSubmissionFields,
  unknownChoices,
} from './selected-variants.ts'

const variants: Variant[] = ['careful', 'hasty'].flatMap((agent) =>
  ['sonnet', 'gpt'].flatMap((model) =>
    ['terse', 'long'].map((prompt) => ({
      variantId: `${agent}~${model}~${prompt}`,
      agent,
      agentMode: null,
      model,
      product: null,
      environment: null,
      prompt,
    })),
  ),
)

const idsOf = (selected: Variant[]) => selected.map(({ variantId }) => variantId)

test('without selectors the whole matrix runs, and no selectors are sent', () => {
  expect(selectedVariants(variants, noSelectors)).toEqual(variants)
  expect(toSubmissionFields(noSelectors)).toEqual({})
})

test('selectors of different axes are combined as a union, not an intersection', () => {
  const selectors = { ...noSelectors, agents: ['careful'], promptIds: ['terse'] }
  expect(idsOf(selectedVariants(variants, selectors))).toEqual([
    'careful~sonnet~terse',
    'careful~sonnet~long',
    'careful~gpt~terse',
    'careful~gpt~long',
    'hasty~sonnet~terse',
    'hasty~gpt~terse',
  ])
  expect(toSubmissionFields(selectors)).toEqual({ agents: ['careful'], promptIds: ['terse'] })
})

test('an exact variant is added to those that the axes select', () => {
  const selectors = { ...noSelectors, models: ['gpt'], variantIds: ['hasty~sonnet~long'] }
  expect(idsOf(selectedVariants(variants, selectors))).toContain('hasty~sonnet~long')
  expect(selectedVariants(variants, selectors)).toHaveLength(5)
})

/** Small matrices are easier to read: agents good, coin, broken × prompts first, second. */
const matrix: Variant[] = ['good', 'coin', 'broken'].flatMap((agent) =>
  ['first', 'second'].map((prompt) => ({
    variantId: `${agent}~${prompt}`,
    agent,
    agentMode: prompt === 'first' ? 'plan' : null,
    model: null,
    product: null,
    environment: null,
    prompt,
  })),
)
const toggled = (...values: ['agent' | 'agentMode' | 'prompt', string][]) =>
  values.reduce<Chosen>((chosen, [field, value]) => toggleValue(matrix, chosen, { field, value }), noSelectors)
const variantAt = (index: number) => matrix[index] ?? expect.unreachable()

test('deselecting values of two axes leaves only the variants that have neither', () => {
  const chosen = toggled(['agent', 'coin'], ['agent', 'broken'], ['prompt', 'second'])
  expect(idsOf(selectedVariants(matrix, chosen))).toEqual(['good~first'])
  expect(toSubmissionFields(chosen)).toEqual({ variantIds: ['good~first'] })
})

test('every selection is sent so that exactly its variants run', () => {
  for (let bits = 1; bits < 2 ** matrix.length; bits += 1) {
    const wanted = matrix.filter((_, index) => bits & (1 << index))
    const chosen = wanted.reduce<Chosen>((sum, variant) => toggleVariant(matrix, sum, variant), null)
    expect(selectVariants(matrix, toSubmissionFields(chosen)).selected).toEqual(wanted)
  }
})

test('whole values of axes are sent as values, so that a schedule also runs their new variants', () => {
  expect(toSubmissionFields(toggled(['agent', 'broken']))).toEqual({ agents: ['good', 'coin'] })
  const withoutCoinFirst = toggleVariant(matrix, toggled(['agent', 'broken']), variantAt(2))
  expect(toSubmissionFields(withoutCoinFirst)).toEqual({ variantIds: ['good~first', 'good~second', 'coin~second'] })
  const union = toggleVariant(matrix, withoutCoinFirst, variantAt(5))
  expect(toSubmissionFields(union)).toEqual({ agents: ['good'], promptIds: ['second'] })
})

test('the axis of the last click is sent if another axis has the same variants', () => {
  const [a, b] = [variantAt(0), variantAt(3)].map((variant, index) => ({ ...variant, environment: `e${index}` }))
  const pair = [a ?? expect.unreachable(), b ?? expect.unreachable()]
  expect(toSubmissionFields(toggleValue(pair, noSelectors, { field: 'prompt', value: 'second' }))).toEqual({
    promptIds: ['first'],
  })
})

test('an agent mode selects its variants, although the API has no selector for modes', () => {
  const chosen = toggled(['agentMode', 'plan'])
  expect(toSubmissionFields(chosen)).toEqual({ promptIds: ['second'] })
})

test('selecting everything again, in any way, sends no selectors', () => {
  expect(toggled(['agent', 'coin'], ['agent', 'coin'])).toEqual(noSelectors)
  const one = toggleVariant(matrix, noSelectors, variantAt(4))
  expect(toggleVariant(matrix, one, variantAt(4))).toEqual(noSelectors)
})

test('a partly selected value is removed by the first click and completed by the second', () => {
  const partly = toggleVariant(matrix, noSelectors, variantAt(2))
  const without = toggleValue(matrix, partly, { field: 'agent', value: 'coin' })
  expect(idsOf(selectedVariants(matrix, without)).filter((id) => id.startsWith('coin'))).toEqual([])
  expect(toggleValue(matrix, without, { field: 'agent', value: 'coin' })).toEqual(noSelectors)
})

test('deselecting the last variant selects nothing, and not the whole matrix', () => {
  const last = toggled(['agent', 'good'], ['agent', 'coin'], ['agent', 'broken'])
  expect(last).toBeNull()
  expect(selectedVariants(matrix, last)).toEqual([])
  expect(idsOf(selectedVariants(matrix, toggleVariant(matrix, last, variantAt(1))))).toEqual(['good~second'])
})

test('a value is covered by all, some or none of its variants', () => {
  const selected = new Set(selectedVariants(matrix, { ...noSelectors, agents: ['good'] }))
  const [agent, prompt] = [coverageOf(matrix, selected, 'agent'), coverageOf(matrix, selected, 'prompt')]
  expect([agent('good'), agent('coin'), prompt('first')]).toEqual(['all', 'none', 'some'])
})

test('a selector that matches no variant is named, and the next click removes it', () => {
  const chosen = { ...noSelectors, agents: ['good'], productIds: ['acme'], variantIds: ['gone~since~v1'] }
  expect(unknownChoices(matrix, chosen)).toEqual(['gone~since~v1', 'acme'])
  expect(toSubmissionFields(toggleVariant(matrix, chosen, variantAt(1)))).toEqual({ variantIds: ['good~first'] })
})

test('a schedule says whether new variants of later versions will run', () => {
  expect(laterVariantsOf(noSelectors)).toBe('New variants of later versions run too.')
  expect(laterVariantsOf({ ...noSelectors, agents: ['good'] })).toContain('if they have the selected values')
  expect(laterVariantsOf({ ...noSelectors, variantIds: ['good~first'] })).toContain('don’t run')
})
