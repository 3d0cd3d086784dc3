import type { Variant } from './variants.ts'

/** Selectors of a submit; none at all means every variant. */
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

const selectorNames = Object.keys(axisOfSelector) as (keyof VariantSelectors)[]

/**
 * The variants a submit runs: the union of its selectors, a variant runs when it matches any (spec, POST
 * /experiments/{id}/runs). `unknown` names selector values that no variant has.
 */
export function selectVariants(variants: readonly Variant[], selectors: VariantSelectors) {
  const wanted = selectorNames.flatMap((selector) => (selectors[selector] ?? []).map((value) => ({ selector, value })))
  const isMatch = (variant: Variant, { selector, value }: (typeof wanted)[number]) =>
    variant[axisOfSelector[selector]] === value
  return {
    selected:
      wanted.length === 0 ? [...variants] : variants.filter((variant) => wanted.some((each) => isMatch(variant, each))),
    unknown: wanted.filter((each) => !variants.some((variant) => isMatch(variant, each))),
  }
}
