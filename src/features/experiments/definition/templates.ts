import type { Axes } from '#contract/variants.ts'
import { axesOf, variantsOf } from '#contract/variants.ts'
import { checkText } from '#src/editor/check-text.ts'
import { codingAgents } from './coding-agents-template.ts'
import { counted } from '#src/format/numbers.ts'

/** The repository's examples, unchanged, so each of them can run. */
const texts = import.meta.glob<string>('/examples/*/experiment.yaml', { query: '?raw', import: 'default', eager: true })

export type Template = { id: string; text: string; name: string; description: string; shape: string; needs?: string }

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

/** The least that runs, to write an experiment from nothing. */
const blank = `id: new-experiment
name: New experiment
agents:
  - id: my-agent
    # The prompt is on standard input.
    command: [bash, -c, "cat > answer.txt"]
prompts:
  - id: first
    text: Say hello.
tests:
  - name: answers
    command: [test, -s, answer.txt]
`

const blankId = 'blank'
const codingAgentsId = 'coding-agents'

const codingAgentsNeed =
  'Needs a key for each model and both clients on the worker before it can run; mock runs need neither.'

const describeBlank = { name: 'Blank', description: 'One agent, one prompt and one test to replace with your own.' }

function toTemplate(id: string, text: string): Template[] {
  const { definition } = checkText(text)
  if (!definition) return []
  const axes = axesOf(definition)
  const factors = (Object.keys(nouns) as (keyof Axes)[])
    .filter((axis) => axis === 'agents' || axes[axis].length > 1)
    .map((axis) => counted(axes[axis].length, nouns[axis]))
  const { name, description = '' } = definition
  const shape = `${factors.join(' × ')}, ${counted(variantsOf(definition).length, 'variant')}`
  return [{ id, text, name, description, ...(id === blankId && describeBlank), shape }]
}

const examples = Object.entries(texts).flatMap(([path, text]) => toTemplate(path.split('/').at(-2) ?? path, text))

export const templates: readonly Template[] = [
  ...examples.toSorted((a, b) => Number(b.id === first) - Number(a.id === first)),
  ...toTemplate(codingAgentsId, codingAgents).map((template) => ({ ...template, needs: codingAgentsNeed })),
  ...toTemplate(blankId, blank),
]

/** An example is copied under a new id; the others have a new id already. */
export const isExample = ({ id }: Template) => id !== blankId && id !== codingAgentsId
