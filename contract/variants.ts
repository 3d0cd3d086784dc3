import { z } from 'zod'

import type { Definition, VariantPattern } from './definition.ts'

/** One combination of axis values. An axis that the definition omits is null. */
export const Variant = z.object({
  variantId: z.string(),
  agent: z.string(),
  agentMode: z.string().nullable(),
  model: z.string().nullable(),
  product: z.string().nullable(),
  environment: z.string().nullable(),
  prompt: z.string().nullable(),
})
export type Variant = z.infer<typeof Variant>

const ids = z.array(z.string())

export const Axes = z.object({
  agents: ids,
  agentModes: ids,
  models: ids,
  products: ids,
  environments: ids,
  prompts: ids,
})
export type Axes = z.infer<typeof Axes>

const idOf = (entry: string | { id: string }) => (typeof entry === 'string' ? entry : entry.id)

const orNone = (entries: readonly (string | { id: string })[] | undefined) => entries?.map(idOf) ?? [null]

/**
 * Joins the axis values of a variant in a fixed order. `~` needs no escaping in URLs, and no axis id can contain it.
 */
const toVariantId = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join('~')

/** A variant without its id. */
type Combination = Omit<Variant, 'variantId'>

const axisOf = {
  agent: 'agent',
  mode: 'agentMode',
  model: 'model',
  product: 'product',
  environment: 'environment',
  prompt: 'prompt',
} as const satisfies Record<keyof VariantPattern, keyof Combination>
const patternKeys = ['agent', 'mode', 'model', 'product', 'environment', 'prompt'] as const

/**
 * Tells whether a combination matches one of the patterns. Each pattern is a bit, so 32 of them are compared at once: a
 * definition may have hundreds of patterns, and a hundred thousand combinations.
 */
function matcherOf(patterns: readonly VariantPattern[]): (combination: Combination) => boolean {
  const words = Math.ceil(patterns.length / 32)
  const looks = patternKeys
    .filter((key) => patterns.some((pattern) => pattern[key] !== undefined))
    .map((key) => {
      const bitsOf = bitsByValue(patterns.map((pattern) => pattern[key]))
      return (combination: Combination) => bitsOf(combination[axisOf[key]])
    })
  return (combination) => {
    const found = looks.map((look) => look(combination))
    for (let word = 0; word < words; word += 1) {
      let left = -1
      for (const bits of found) left &= bits[word] ?? 0
      if (left !== 0) return true
    }
    return false
  }
}

/** The patterns that allow a value of an axis, as bits. A pattern without the axis allows all. */
function bitsByValue(wanted: readonly (string | undefined)[]) {
  const words = Math.ceil(wanted.length / 32)
  const ofAll = new Int32Array(words)
  const ofValue = new Map<string | null, Int32Array>()
  for (const [place, value] of wanted.entries()) {
    const bits = value === undefined ? ofAll : (ofValue.get(value) ?? new Int32Array(words))
    bits[place >> 5] = (bits[place >> 5] ?? 0) | (1 << (place & 31))
    if (value !== undefined) ofValue.set(value, bits)
  }
  for (const bits of ofValue.values()) for (const [word, all] of ofAll.entries()) bits[word] = (bits[word] ?? 0) | all
  return (value: string | null) => ofValue.get(value) ?? ofAll
}

/**
 * Returns the variants of a definition: the cross product of its axes, in the order of the axes, filtered by
 * `variants.include` (any must match) and `variants.exclude` (none may match). A prompt with an environment of its own
 * has only variants in that environment.
 */
export function variantsOf(definition: Definition): Variant[] {
  const { include, exclude = [] } = definition.variants ?? {}
  const isIncluded = include ? matcherOf(include) : () => true
  const isExcluded = matcherOf(exclude)
  return crossProduct(definition)
    .filter((combination) => isIncluded(combination) && !isExcluded(combination))
    .map((combination) => ({ variantId: toVariantId(Object.values(combination)), ...combination }))
}

function crossProduct(definition: Definition): Combination[] {
  const agents = definition.agents.flatMap((agent) =>
    orNone(agent.modes).map((agentMode) => ({ agent: agent.id, agentMode })),
  )
  const places = placesOf(definition)
  return agents.flatMap(({ agent, agentMode }) =>
    orNone(definition.models).flatMap((model) =>
      orNone(definition.products).flatMap((product) =>
        places.map(({ environment, prompt }) => ({ agent, agentMode, model, product, environment, prompt })),
      ),
    ),
  )
}

/**
 * The prompts in the environments where they run, by environment, then by prompt. Eighty prompts that each have their
 * own of eighty environments make eighty pairs, and no others are built.
 */
function placesOf({ environments, prompts }: Definition) {
  const everywhere = orNone(environments)
  const pairs = (prompts ?? [{ id: null, environment: undefined }]).flatMap(({ id: prompt, environment: only }) =>
    (only === undefined ? everywhere : [only]).map((environment) => ({ environment, prompt })),
  )
  const byEnvironment = Map.groupBy(pairs, ({ environment }) => environment)
  return everywhere.flatMap((environment) => byEnvironment.get(environment) ?? [])
}

/**
 * Returns the number of variants before include and exclude. Counting is cheap, so it can be checked before they are
 * built.
 */
export const crossProductSize = (definition: Definition) =>
  definition.agents.reduce((sum, agent) => sum + (agent.modes?.length ?? 1), 0) *
  (definition.models?.length ?? 1) *
  (definition.products?.length ?? 1) *
  placeCount(definition)

const placeCount = ({ environments, prompts }: Definition) => {
  const everywhere = environments?.length ?? 1
  return prompts?.reduce((sum, { environment }) => sum + (environment === undefined ? everywhere : 1), 0) ?? everywhere
}

export const axesOf = (definition: Definition): Axes => ({
  agents: definition.agents.map(idOf),
  agentModes: [...new Set(definition.agents.flatMap((agent) => agent.modes ?? []))],
  models: (definition.models ?? []).map(idOf),
  products: (definition.products ?? []).map(idOf),
  environments: (definition.environments ?? []).map(idOf),
  prompts: (definition.prompts ?? []).map(idOf),
})
