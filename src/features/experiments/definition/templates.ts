import type { Axes } from '#contract/variants.ts'
import { axesOf, variantsOf } from '#contract/variants.ts'
import { checkText } from '#src/editor/check-text.ts'
import { counted } from '#src/format/numbers.ts'

/** The repository's examples, unchanged, so every template can run. */
const texts = import.meta.glob<string>('/examples/*/experiment.yaml', { query: '?raw', import: 'default', eager: true })

export type Template = { id: string; text: string; name: string; description: string; shape: string }

const nouns = {
  agents: 'agent',
  agentModes: 'mode',
  models: 'model',
  products: 'product',
  environments: 'environment',
  prompts: 'prompt',
} as const satisfies Record<keyof Axes, string>

/** The simplest template comes first and is the default. */
const first = 'parse-roman'

const all: readonly Template[] = Object.entries(texts).flatMap(([path, text]) => {
  const { definition } = checkText(text)
  if (!definition) return []
  const axes = axesOf(definition)
  const factors = (Object.keys(nouns) as (keyof Axes)[])
    .filter((axis) => axis === 'agents' || axes[axis].length > 1)
    .map((axis) => counted(axes[axis].length, nouns[axis]))
  return {
    id: path.split('/').at(-2) ?? path,
    text,
    name: definition.name,
    description: definition.description ?? '',
    shape: `${factors.join(' × ')}, ${counted(variantsOf(definition).length, 'variant')}`,
  }
})

export const templates = all.toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
