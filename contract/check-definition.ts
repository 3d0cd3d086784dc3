import { faultsOfTasks, unknownId } from './check-tasks.ts'
import { Definition, type VariantPattern } from './definition.ts'
import { type Fault, faultsOf, unknownField } from './plain-messages.ts'
import { crossProductSize, variantsOf } from './variants.ts'

/** A problem in a definition. `path` leads to the value, so that an editor can mark its line. */
type DefinitionIssue = { path: PropertyKey[]; message: string }

/** `readable` is the definition without its unknown fields, if nothing else is wrong with its shape. */
export type CheckedDefinition =
  | { definition: Definition; readable: Definition; issues: [] }
  | { definition: null; readable: Definition | null; issues: DefinitionIssue[] }

/**
 * Counting the product is cheap and building it is not, so it has its own limit. `include` may narrow it down a lot.
 */
const maxProduct = 100_000
const maxVariants = 10_000
/** Limits the comparisons (variants × patterns) that one push may cost a server, so that other requests do not wait. */
const maxComparisons = 20_000_000

/**
 * Validates a parsed YAML document: first its shape, then its meaning (duplicate ids, unknown references, an empty
 * matrix). A wrong shape does not hide the errors of meaning that can still be read; they follow. The editor and the
 * platform both call this, so the platform rejects a push with the same messages that the editor shows.
 */
export function checkDefinition(document: unknown): CheckedDefinition {
  const parsed = Definition.safeParse(document)
  if (!parsed.success) return misshapen(document, faultsOf(parsed.error))
  const issues = semanticIssues(parsed.data)
  return issues.length > 0
    ? { definition: null, readable: parsed.data, issues }
    : { definition: parsed.data, readable: parsed.data, issues: [] }
}

function misshapen(document: unknown, faults: Fault[]): CheckedDefinition {
  const readable = Definition.safeParse(withoutUnknownFields(document, faults)).data ?? null
  const issues = readable ? semanticIssues(readable) : duplicateIds(document)
  return { definition: null, readable, issues: [...faults.map(toIssue), ...issues] }
}

function withoutUnknownFields(document: unknown, faults: Fault[]): unknown {
  const copy = structuredClone(document)
  for (const { path, message } of faults) {
    const name = path.at(-1)
    if (message !== unknownField || name === undefined) continue
    const owner = path.slice(0, -1).reduce<unknown>(fieldOf, copy)
    if (isObject(owner)) delete owner[name]
  }
  return copy
}

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null

const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const toIssue = ({ path, message }: Fault): DefinitionIssue => ({
  path,
  message: message === unknownField ? `unknown field "${String(path.at(-1))}"` : message,
})

function semanticIssues(definition: Definition): DefinitionIssue[] {
  const issues = [...duplicateIds(definition), ...faultsOfTasks(definition), ...unknownReferences(definition)]
  if (issues.length > 0) return issues
  const size = crossProductSize(definition)
  if (size > maxProduct) return aboutVariants(`the axes produce ${size} variants; at most ${maxProduct} are allowed`)
  const patternCount = (definition.variants?.include?.length ?? 0) + (definition.variants?.exclude?.length ?? 0)
  if (size * patternCount > maxComparisons)
    return aboutVariants(`${size} variants and ${patternCount} patterns are too many to compare; use fewer of either`)
  const variantCount = variantsOf(definition).length
  if (variantCount > maxVariants) return aboutVariants(`${variantCount} variants; at most ${maxVariants} are allowed`)
  return variantCount === 0 ? aboutVariants('no variants are left after include and exclude') : []
}

const aboutVariants = (message: string): DefinitionIssue[] => [{ path: ['variants'], message }]

const lists = ['models', 'products', 'environments', 'prompts', 'flags', 'tests']

/** The document may have any shape: whatever has no id that is text is left out. */
function duplicateIds(document: unknown): DefinitionIssue[] {
  const agents = fieldOf(document, 'agents')
  const modes = Array.isArray(agents)
    ? agents.flatMap((agent, index) => duplicatesIn(['agents', index, 'modes'], fieldOf(agent, 'modes')))
    : []
  const others = lists.flatMap((list) => duplicatesIn([list], fieldOf(document, list)))
  return [...duplicatesIn(['agents'], agents), ...modes, ...others]
}

function duplicatesIn(listPath: PropertyKey[], entries: unknown): DefinitionIssue[] {
  if (!Array.isArray(entries)) return []
  const seen = new Set<string>()
  return entries.flatMap((entry: unknown, index) => {
    const field = typeof entry === 'string' ? null : listPath[0] === 'tests' ? 'name' : 'id'
    const id = field ? fieldOf(entry, field) : entry
    if (typeof id !== 'string') return []
    const isDuplicate = seen.has(id)
    seen.add(id)
    const path = [...listPath, index, ...(field ? [field] : [])]
    return isDuplicate ? [{ path, message: `duplicate id "${id}" in ${String(listPath.at(-1))}` }] : []
  })
}

function unknownReferences(definition: Definition): DefinitionIssue[] {
  const known = {
    agent: definition.agents.map((agent) => agent.id),
    mode: definition.agents.flatMap((agent) => agent.modes ?? []),
    model: definition.models?.map((model) => (typeof model === 'string' ? model : model.id)) ?? [],
    product: definition.products?.map((product) => (typeof product === 'string' ? product : product.id)) ?? [],
    environment: definition.environments?.map((environment) => environment.id) ?? [],
    prompt: definition.prompts?.map((prompt) => prompt.id) ?? [],
  } satisfies Record<keyof VariantPattern, string[]>
  return (['include', 'exclude'] as const).flatMap((list) =>
    (definition.variants?.[list] ?? []).flatMap((pattern, index) =>
      (Object.keys(known) as (keyof VariantPattern)[]).flatMap((axis) => {
        const id = pattern[axis]
        if (id === undefined || known[axis].includes(id)) return []
        return [{ path: ['variants', list, index, axis], message: unknownId(axis, id, known[axis]) }]
      }),
    ),
  )
}
