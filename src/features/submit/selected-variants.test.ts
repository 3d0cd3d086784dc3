import { expect, test } from 'vitest'

import type { Variant } from '#contract/variants.ts'

import {
  noSelectors,
  coverageOf,
  matchingSelectors,
  selectedVariants,
  toSubmissionFields,
  toggleValue,
  toggleVariant,
  unknownChoices,
  whyDisabled,
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

test('a variant states why it runs', () => {
  const selectors = { ...noSelectors, agents: ['careful'], variantIds: ['careful~gpt~long'] }
  expect(variants.map((variant) => matchingSelectors(variant, selectors))[3]).toEqual([
    'careful',
    'selected individually',
  ])
})

test('a value that is selected only through another axis counts as partly selected', () => {
  const selectors = { ...noSelectors, agents: ['careful'] }
  const coverage = (field: 'agent' | 'model', value: string) => coverageOf(variants, selectors, { field, value })
  expect([coverage('agent', 'careful'), coverage('agent', 'hasty'), coverage('model', 'gpt')]).toEqual([
    'all',
    'none',
    'some',
  ])
})

test('a selector that matches no variant is named', () => {
  const selectors = { ...noSelectors, productIds: ['acme'], variantIds: ['gone~since~v1'] }
  expect(selectedVariants(variants, selectors)).toEqual([])
  expect(unknownChoices(variants, selectors)).toEqual(['gone~since~v1', 'acme'])
})

const models = ['sonnet', 'gpt']

test('toggling a selector twice restores the selection', () => {
  const start = { ...noSelectors, agents: ['careful'] }
  const once = toggleValue(start, 'models', { value: 'gpt', axis: models })
  expect(once.models).toEqual(['gpt'])
  expect(toggleValue(once, 'models', { value: 'gpt', axis: models })).toEqual(start)
})

test('deselecting one value or variant of the whole matrix keeps the others', () => {
  const withoutGpt = toggleValue(noSelectors, 'models', { value: 'gpt', axis: models })
  expect(idsOf(selectedVariants(variants, withoutGpt)).filter((id) => id.includes('gpt'))).toEqual([])
  const withoutOne = toggleVariant(noSelectors, 'hasty~gpt~long', variants)
  expect(selectedVariants(variants, withoutOne)).toHaveLength(7)
})

test('a disabled checkbox states why it is disabled', () => {
  expect(whyDisabled({ isChosen: false, coverage: 'all', others: 1 }, true)).toBeNull()
  expect(whyDisabled({ isChosen: false, coverage: 'all', others: 0 }, true)).toMatch('At least one variant is required')
  expect(whyDisabled({ isChosen: false, coverage: 'all', others: 1 }, false)).toMatch('another filter')
  expect(whyDisabled({ isChosen: true, coverage: 'all', others: 1 }, false)).toBeNull()
})
