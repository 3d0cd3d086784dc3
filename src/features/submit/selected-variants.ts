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

/** What the form selects. Null is no variant at all, which the API has no selectors for. */
export type Chosen = Selectors | null

export const noSelectors: Selectors = {
  agents: [],
  models: [],
  productIds: [],
  environmentIds: [],
  promptIds: [],
  variantIds: [],
}

type AxisField = 'agent' | 'agentMode' | 'model' | 'product' | 'environment' | 'prompt'
type ChoiceAxis = { field: AxisField; axis: keyof Axes; label: string }

const agents = { name: 'agents', field: 'agent', axis: 'agents', label: 'Agents' } as const
const otherSelectors = [
  { name: 'models', field: 'model', axis: 'models', label: 'Models' },
  { name: 'productIds', field: 'product', axis: 'products', label: 'Products' },
  { name: 'environmentIds', field: 'environment', axis: 'environments', label: 'Environments' },
  { name: 'promptIds', field: 'prompt', axis: 'prompts', label: 'Prompts' },
] as const satisfies readonly (ChoiceAxis & { name: AxisSelector })[]

/** The axes that the API can select by, in the order of a variant id. The API has no selector for agent modes. */
export const axisSelectors = [agents, ...otherSelectors] as const

/** All axes, in the order of a variant id. */
export const choiceAxes: readonly ChoiceAxis[] = [
  agents,
  { field: 'agentMode', axis: 'agentModes', label: 'Agent modes' },
  ...otherSelectors,
]

/** The selectors in a URL. Each axis has the same name as in filters. */
export function readSelectors(all: (name: string) => string[]): Selectors {
  const selectors: Selectors = { ...noSelectors, variantIds: all('variant') }
  for (const { name, field } of axisSelectors) selectors[name] = all(field)
  return selectors
}

/** The variants that will run, by the platform's own rule. */
export const selectedVariants = (variants: readonly Variant[], chosen: Chosen): Variant[] =>
  chosen ? selectVariants(variants, chosen).selected : []

/** Selected values that no variant of this version has. The platform refuses them. */
export const unknownChoices = (variants: readonly Variant[], chosen: Chosen): string[] =>
  chosen ? selectVariants(variants, chosen).unknown.map(({ value }) => value) : []

/** How many of the variants with an axis value are selected. */
export type Coverage = 'all' | 'some' | 'none'

/** The coverage of each value of an axis, counted in one pass because a matrix can have thousands of variants. */
export function coverageOf(variants: readonly Variant[], selected: ReadonlySet<Variant>, field: AxisField) {
  const totals = new Map<string, { all: number; selected: number }>()
  for (const variant of variants) {
    const value = variant[field]
    if (value === null) continue
    const total = totals.get(value) ?? { all: 0, selected: 0 }
    total.all += 1
    if (selected.has(variant)) total.selected += 1
    totals.set(value, total)
  }
  return (value: string): Coverage => {
    const total = totals.get(value)
    if (!total || total.selected === 0) return 'none'
    return total.selected === total.all ? 'all' : 'some'
  }
}

/**
 * Deselects all variants with this value, or selects them if none is selected. A partly selected value is deselected,
 * so that values of several axes can be narrowed down one after another.
 */
export function toggleValue(
  variants: readonly Variant[],
  chosen: Chosen,
  { field, value }: { field: AxisField; value: string },
): Chosen {
  const selected = new Set(selectedVariants(variants, chosen))
  const own = new Set(variants.filter((variant) => variant[field] === value))
  return toSelectors(variants, own.isDisjointFrom(selected) ? selected.union(own) : selected.difference(own), field)
}

/** Selects or deselects one variant and no other. */
export function toggleVariant(variants: readonly Variant[], chosen: Chosen, variant: Variant): Chosen {
  const selected = new Set(selectedVariants(variants, chosen))
  return toSelectors(variants, selected.symmetricDifference(new Set([variant])))
}

/**
 * The selectors of exactly these variants: none for the whole matrix, values of axes if their union is this set, else
 * variant ids. Values are preferred because they also select the variants of later versions. If the values of several
 * axes have the same variants, those of the `preferred` axis are used.
 */
function toSelectors(variants: readonly Variant[], selected: ReadonlySet<Variant>, preferred?: AxisField): Chosen {
  if (selected.size === 0) return null
  if (selected.size === variants.length) return noSelectors
  const left = new Set(selected)
  const selectors = { ...noSelectors }
  for (const { name, field } of axisSelectors.toSorted(
    (a, b) => Number(b.field === preferred) - Number(a.field === preferred),
  )) {
    const coverage = coverageOf(variants, selected, field)
    const values = new Set<string>()
    for (const variant of left) {
      const value = variant[field]
      if (value === null || coverage(value) !== 'all') continue
      values.add(value)
      left.delete(variant)
    }
    selectors[name] = [...values]
  }
  if (left.size === 0) return selectors
  const inOrder = variants.filter((variant) => selected.has(variant))
  return { ...noSelectors, variantIds: inOrder.map(({ variantId }) => variantId) }
}

/** What happens with the variants that a later version adds. */
export function laterVariantsOf({ variantIds, ...values }: Selectors): string {
  if (variantIds.length > 0) return 'Variants of later versions don’t run unless they are selected here.'
  const isWhole = Object.values(values).every(({ length }) => length === 0)
  return `New variants of later versions run too${isWhole ? '' : ', if they have the selected values'}.`
}

/** The fields a submission sends: only the selectors in use, so the whole matrix sends none. */
export const toSubmissionFields = (chosen: Chosen): Partial<Selectors> =>
  Object.fromEntries(Object.entries(chosen ?? noSelectors).filter(([, values]) => values.length > 0))
