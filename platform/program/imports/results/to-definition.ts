import { dump } from 'js-yaml'

import type { Definition, VariantPattern } from '#contract/definition.ts'
import { variantsOf } from '#contract/variants.ts'
import { importedAgentCommand } from '#platform/inputs/experiments/imported-agents.ts'
import type { Survey } from './survey-runs.ts'

/** The YAML may have 1 MB. What texts are cut to keeps room for names. */
const maxTextsBytes = 600_000
const leastCharacters = 40

/**
 * The definition with the imported variants: every pair of agent and model, on every task. It also contains everything in
 * `previous`, so that an experiment imported in parts equals one imported at once.
 */
export function toDefinition(experimentId: string, survey: Survey, previous: Definition | null): Definition {
  const tasks = new Map((previous?.prompts ?? []).map((prompt) => [prompt.id, prompt.text]))
  for (const { id, text } of survey.prompts) if (text !== id || !tasks.has(id)) tasks.set(id, text)
  const known = previous ? variantsOf(previous).map(({ agent, model }) => ({ agent, model: model ?? 'unknown' })) : []
  const pairs = new Map<string, VariantPattern>()
  for (const { agent, model } of [...known, ...survey.batches.flatMap(({ cells }) => cells)])
    pairs.set(`${agent} ${model}`, { agent, model })
  const include = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
  const source = nameSources(survey.formats.map(({ title }) => title))
  const cut = cutter([...tasks.values()])
  return {
    id: experimentId,
    name: previous?.name ?? `${source} results`,
    description: `Imported results of ${source}. The agents ran elsewhere; their commands here are placeholders.`,
    agents: sortedIds(include.map((pair) => pair.agent)).map((id) => ({ id, command: importedAgentCommand })),
    models: sortedIds(include.map((pair) => pair.model)),
    prompts: sortedIds([...tasks.keys()]).map((id) => ({ id, text: cut(tasks.get(id) || id) })),
    variants: { include },
  }
}

const maxNamedTools = 2

/** Many tools in one title would say nothing. */
export function nameSources(titles: readonly string[]) {
  const [first = 'other tools', second] = titles
  if (titles.length > maxNamedTools) return `${titles.length} tools`
  return second === undefined ? first : `${first} and ${second}`
}

/** Cuts the longest texts, all to the same length, until they fit together. The transcripts have the whole texts. */
function cutter(texts: readonly string[]) {
  const bytesAt = (limit: number) => texts.reduce((sum, text) => sum + Buffer.byteLength(text.slice(0, limit)) + 20, 0)
  let limit = 100_000
  while (limit > leastCharacters && bytesAt(limit) > maxTextsBytes) limit = Math.floor(limit * 0.7)
  return (text: string) => (text.length > limit ? `${text.slice(0, limit)}…`.toWellFormed() : text)
}

const sortedIds = (ids: readonly (string | undefined)[]) =>
  [...new Set(ids.filter((id) => id !== undefined))].sort((a, b) => (a < b ? -1 : 1))

export const toYaml = (definition: Definition) => dump(definition, { lineWidth: 120, noRefs: true })
