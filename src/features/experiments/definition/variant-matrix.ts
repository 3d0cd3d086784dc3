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
  rows: readonly { id: string; cells: readonly (Variant | null)[] }[]
}

/** A grid when exactly two axes vary, the longer one downwards; a cell that include or exclude leaves out is null. */
export function variantMatrix(axes: Axes, variants: readonly Variant[]): VariantMatrix | null {
  const varying = (Object.keys(fieldOf) as (keyof Axes)[]).filter((axis) => axes[axis].length > 1)
  const [first, second, third] = varying
  if (!first || !second || third) return null
  const [down, across] = axes[first].length >= axes[second].length ? [first, second] : [second, first]
  return {
    columns: axes[across],
    rows: axes[down].map((id) => ({
      id,
      cells: axes[across].map(
        (column) =>
          variants.find((variant) => variant[fieldOf[down]] === id && variant[fieldOf[across]] === column) ?? null,
      ),
    })),
  }
}
