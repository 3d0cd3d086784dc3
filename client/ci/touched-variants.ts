import type { Definition } from '#contract/definition.ts'
import { type Variant, variantsOf } from '#contract/variants.ts'

/** A definition, and the hashes of its package's files by their source. */
export type Inputs = { definition: Definition; hashes: ReadonlyMap<string, string> }

/**
 * The variants whose runs a change can make different: those whose agent, model, product, environment or prompt is new or
 * changed, with the files that they name. All, if anything else of the definition changed.
 */
export function findTouchedVariants(before: Inputs, after: Inputs): Variant[] {
  const [old, now] = [entriesOf(before), entriesOf(after)]
  const variants = variantsOf(after.definition)
  if (old.rest !== now.rest) return variants
  const known = new Set(variantsOf(before.definition).map(({ variantId }) => variantId))
  const isSame = (axis: Axis, id: string | null) => id === null || old[axis].get(id) === now[axis].get(id)
  return variants.filter(
    ({ variantId, agent, model, product, environment, prompt }) =>
      !known.has(variantId) ||
      !isSame('agents', agent) ||
      !isSame('models', model) ||
      !isSame('products', product) ||
      !isSame('environments', environment) ||
      !isSame('prompts', prompt),
  )
}

const axes = ['agents', 'models', 'products', 'environments', 'prompts'] as const
type Axis = (typeof axes)[number]

function entriesOf({ definition, hashes }: Inputs) {
  /** Writes the hash of a file's content beside its name, so that a changed file differs. */
  const write = (value: unknown) =>
    JSON.stringify(sorted(value), (name, item: unknown) =>
      name === 'source' && typeof item === 'string' ? [item, hashes.get(item) ?? null] : item,
    )
  const { id: _id, name: _name, description: _description, variants: _variants, ...rest } = definition
  const byId = (axis: Axis) =>
    new Map(
      (definition[axis] ?? []).map((entry) => [
        typeof entry === 'string' ? entry : entry.id,
        write(withoutModes(entry)),
      ]),
    )
  return {
    agents: byId('agents'),
    models: byId('models'),
    products: byId('products'),
    environments: byId('environments'),
    prompts: byId('prompts'),
    rest: write(Object.fromEntries(Object.entries(rest).filter(([field]) => !axes.some((axis) => axis === field)))),
  }
}

/** The modes of an agent are in the variants; another one changes no run of the others. Nor do notes for readers. */
function withoutModes(entry: string | object) {
  if (typeof entry === 'string') return { id: entry }
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'modes' && name !== 'notes'))
}

/** The order in which fields are written says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  )
}
