import type { Axes, Variant } from '#contract/variants.ts'

const fieldOf = {
  agents: 'agent',
  agentModes: 'agentMode',
  models: 'model',
  products: 'product',
  environments: 'environment',
  prompts: 'prompt',
} as const satisfies Record<keyof Axes, keyof Variant>

export type VariantMatrix = {
  columns: readonly string[]
  rows: readonly { id: string; cells: readonly (readonly Variant[])[] }[]
  /** True if no other axis varies, so each cell has at most one variant. */
  isWhole: boolean
}

/** The two axes with the most values as a grid with the longer axis as rows; null if fewer than two axes vary. */
export function variantMatrix(axes: Axes, variants: readonly Variant[]): VariantMatrix | null {
  const varying = (Object.keys(fieldOf) as (keyof Axes)[])
    .filter((axis) => axes[axis].length > 1)
    .toSorted((one, other) => axes[other].length - axes[one].length)
  const [down, across] = varying
  if (!down || !across) return null
  const inCells = Map.groupBy(variants, (variant) => `${variant[fieldOf[down]]}~${variant[fieldOf[across]]}`)
  return {
    columns: axes[across],
    rows: axes[down].map((id) => ({
      id,
      cells: axes[across].map((column) => inCells.get(`${id}~${column}`) ?? []),
    })),
    isWhole: varying.length === 2,
  }
}
