import { selectVariants } from '#contract/select-variants.ts'
import type { Axes, Variant } from '#contract/variants.ts'

/** The selectors of a submission, named as in the API. If all are empty, the whole matrix runs. */
export type Selectors = {
  agents: string[]
  models: string[]
  productIds: string[]
  environmentIds: string[]
  promptIds: string[]
  variantIds: string[]
}
type AxisSelector = Exclude<keyof Selectors, 'variantIds'>

export const noSelectors: Selectors = {
  agents: [],
  models: [],
  productIds: [],
  environmentIds: [],
  promptIds: [],
  variantIds: [],
}

type AxisField = 'agent' | 'model' | 'product' | 'environment' | 'prompt'

/** The axes that the API can select by, in the order of a variant id. The API has no selector for agent modes. */
export const axisSelectors = [
  { name: 'agents', field: 'agent', axis: 'agents', label: 'Agents' },
  { name: 'models', field: 'model', axis: 'models', label: 'Models' },
  { name: 'productIds', field: 'product', axis: 'products', label: 'Products' },
  { name: 'environmentIds', field: 'environment', axis: 'environments', label: 'Environments' },
  { name: 'promptIds', field: 'prompt', axis: 'prompts', label: 'Prompts' },
] as const satisfies readonly { name: AxisSelector; field: AxisField; axis: keyof Axes; label: string }[]

/** The selectors in a URL. Each axis has the same name as in filters. */
export function readSelectors(all: (name: string) => string[]): Selectors {
  const selectors: Selectors = { ...noSelectors, variantIds: all('variant') }
  for (const { name, field } of axisSelectors) selectors[name] = all(field)
  return selectors
}

export const isWholeMatrix = (selectors: Selectors) => Object.values(selectors).every((values) => values.length === 0)

/** The selectors that match a variant. A variant without any does not run, unless nothing is selected. */
export function matchingSelectors(variant: Variant, selectors: Selectors): string[] {
  const byAxis = axisSelectors.flatMap(({ name, field }) => {
    const value = variant[field]
    return value !== null && selectors[name].includes(value) ? [value] : []
  })
  return selectors.variantIds.includes(variant.variantId) ? [...byAxis, 'selected individually'] : byAxis
}

/** The variants that will run, by the platform's own rule. */
export const selectedVariants = (variants: readonly Variant[], selectors: Selectors): Variant[] =>
  selectVariants(variants, selectors).selected

/** Selected values that no variant of this version has. The platform refuses them. */
export const unknownChoices = (variants: readonly Variant[], selectors: Selectors): string[] =>
  selectVariants(variants, selectors).unknown.map(({ value }) => value)

/** How much of an axis value runs: all its variants, some through other selectors, or none. */
export type Coverage = 'all' | 'some' | 'none'

export function coverageOf(
  variants: readonly Variant[],
  selectors: Selectors,
  { field, value }: { field: AxisField; value: string },
): Coverage {
  const own = variants.filter((variant) => variant[field] === value)
  const running = selectedVariants(own, selectors).length
  return running === 0 ? 'none' : running === own.length ? 'all' : 'some'
}

const without = (values: readonly string[], value: string) => values.filter((other) => other !== value)

const toggle = (values: readonly string[], value: string) =>
  values.includes(value) ? without(values, value) : [...values, value]

/** If the whole matrix is selected, deselecting a value keeps the other values of its axis. */
export function toggleValue(
  selectors: Selectors,
  name: AxisSelector,
  { value, axis }: { value: string; axis: string[] },
) {
  const next = isWholeMatrix(selectors) ? without(axis, value) : toggle(selectors[name], value)
  return { ...selectors, [name]: next }
}

/** If the whole matrix is selected, deselecting a variant selects the others individually. */
export function toggleVariant(selectors: Selectors, variantId: string, variants: readonly Variant[]): Selectors {
  const all = variants.map((variant) => variant.variantId)
  const next = isWholeMatrix(selectors) ? without(all, variantId) : toggle(selectors.variantIds, variantId)
  return { ...selectors, variantIds: next }
}

/** Why toggling a value or variant would change nothing; null if it would change something. */
export function whyDisabled(
  { isChosen, coverage, others }: { isChosen: boolean; coverage: Coverage; others: number },
  isWhole: boolean,
) {
  if (isWhole) return others === 0 ? 'At least one variant is required' : null
  return !isChosen && coverage === 'all' ? 'Already included by another filter' : null
}

/** The fields a submission sends: only the selectors in use, so the whole matrix sends none. */
export const toSubmissionFields = (selectors: Selectors): Partial<Selectors> =>
  Object.fromEntries(Object.entries(selectors).filter(([, values]) => values.length > 0))
