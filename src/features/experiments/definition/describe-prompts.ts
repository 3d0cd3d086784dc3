import type { Definition } from '#contract/definition.ts'
import type { Variant } from '#contract/variants.ts'
import { counted } from '#src/format/numbers.ts'

export type DescribedPrompt = {
  id: string
  text: string
  firstLine: string
  /** The length of the text; null if the first line is all of it. */
  size: string | null
  variantIds: string[]
}

/** Every prompt in short, with the variants that it makes. */
export function describePrompts({ prompts = [] }: Definition, variants: readonly Variant[]): DescribedPrompt[] {
  const ofPrompt = Map.groupBy(variants, ({ prompt }) => prompt)
  return prompts.map(({ id, text }) => {
    const lines = text.trim().split('\n')
    const [firstLine = ''] = lines
    const isWhole = lines.length === 1 && firstLine.length <= maxFirstLine
    return {
      id,
      text,
      firstLine: firstLine.length > maxFirstLine ? `${firstLine.slice(0, maxFirstLine).trimEnd()}…` : firstLine,
      size: isWhole ? null : `${counted(lines.length, 'line')}, ${counted(text.length, 'character')}`,
      variantIds: (ofPrompt.get(id) ?? []).map(({ variantId }) => variantId),
    }
  })
}

const maxFirstLine = 100
