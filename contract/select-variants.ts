import type { Variant } from './variants.ts'

/** The selectors of a submit. Without any, every variant is selected. */
export type VariantSelectors = {
  variantIds?: string[] | undefined
  promptIds?: string[] | undefined
  agents?: string[] | undefined
  models?: string[] | undefined
  productIds?: string[] | undefined
  environmentIds?: string[] | undefined
}

const axisOfSelector = {
  variantIds: 'variantId',
  promptIds: 'prompt',
  agents: 'agent',
  models: 'model',
  productIds: 'product',
  environmentIds: 'environment',
} as const satisfies Record<keyof VariantSelectors, keyof Variant>

type SelectorName = keyof VariantSelectors

const selectorNames = Object.keys(axisOfSelector) as SelectorName[]

/**
 * The variants that a submit runs: a variant runs when it matches any of the selectors. `unknown` lists selector values
 * that no variant has.
 */
export function selectVariants(variants: readonly Variant[], selectors: VariantSelectors) {
  const wanted = selectorNames.flatMap((selector) => {
    const values = new Set(selectors[selector] ?? [])
    return values.size > 0 ? [{ selector, axis: axisOfSelector[selector], values }] : []
  })
  const isWanted = (variant: Variant) => wanted.some(({ axis, values }) => values.has(variant[axis] ?? ''))
  return {
    selected: wanted.length === 0 ? [...variants] : variants.filter(isWanted),
    unknown: wanted.flatMap(({ selector, axis, values }) => {
      const known = new Set(variants.map((variant) => variant[axis]))
      return [...values].filter((value) => !known.has(value)).map((value) => ({ selector, value }))
    }),
  }
}
