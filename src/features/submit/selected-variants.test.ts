import { expect, test } from 'vitest'

import type { Variant } from '#contract/variants.ts'

import {
  noSelectors,
  reachOf,
  reasonsFor,
  selectedVariants,
  toSubmissionFields,
  toggleSelector,
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

test('without selectors the whole matrix runs, and none are sent', () => {
  expect(selectedVariants(variants, noSelectors)).toEqual(variants)
  expect(toSubmissionFields(noSelectors)).toEqual({})
})

test('selectors of different axes widen the selection: it is a union, not an intersection', () => {
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

test('an exact variant joins what the axes select', () => {
  const selectors = { ...noSelectors, models: ['gpt'], variantIds: ['hasty~sonnet~long'] }
  expect(idsOf(selectedVariants(variants, selectors))).toContain('hasty~sonnet~long')
  expect(selectedVariants(variants, selectors)).toHaveLength(5)
})

test('a variant says why it runs', () => {
  const selectors = { ...noSelectors, agents: ['careful'], variantIds: ['careful~gpt~long'] }
  expect(variants.map((variant) => reasonsFor(variant, selectors))[3]).toEqual(['careful', 'chosen by itself'])
})

test('a value reached through another axis is reached in part', () => {
  const selectors = { ...noSelectors, agents: ['careful'] }
  const reach = (field: 'agent' | 'model', value: string) => reachOf(variants, selectors, { field, value })
  expect([reach('agent', 'careful'), reach('agent', 'hasty'), reach('model', 'gpt')]).toEqual(['all', 'none', 'some'])
})

test('an axis without a value never matches', () => {
  expect(selectedVariants(variants, { ...noSelectors, productIds: ['acme'] })).toEqual([])
})

test('toggling twice returns to the start', () => {
  const once = toggleSelector(noSelectors, 'models', 'gpt')
  expect(once.models).toEqual(['gpt'])
  expect(toggleSelector(once, 'models', 'gpt')).toEqual(noSelectors)
})
