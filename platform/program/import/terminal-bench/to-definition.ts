import { dump } from 'js-yaml'

import type { Definition, VariantPattern } from '#contract/definition.ts'
import { variantsOf } from '#contract/variants.ts'
import { importedAgentCommand } from '#platform/inputs/experiments/imported-agents.ts'
import type { RunDirectory } from './find-run-directories.ts'
import { toAxisId } from './submission.ts'

/**
 * The definition with the imported variants: every pair of agent and model in the run directories, on every task. It
 * also contains everything in `previous`, so that an experiment imported in parts equals one imported at once.
 */
export function toDefinition(
  experimentId: string,
  directories: readonly RunDirectory[],
  previous: Definition | null,
): Definition {
  const tasks = new Map((previous?.prompts ?? []).map((prompt) => [prompt.id, prompt.text]))
  for (const { trial } of directories.flatMap(({ trials }) => trials)) {
    const id = toAxisId(trial.task_id)
    if (trial.instruction || !tasks.has(id)) tasks.set(id, trial.instruction || trial.task_id)
  }
  const pairs = new Map<string, VariantPattern>()
  const known = previous ? variantsOf(previous).map(({ agent, model }) => ({ agent, model: model ?? 'unknown' })) : []
  for (const pair of [...known, ...directories.map(({ submission }) => submission)])
    pairs.set(`${pair.agent} ${pair.model}`, { agent: pair.agent, model: pair.model })
  const include = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
  return {
    id: experimentId,
    name: previous?.name ?? 'Terminal-Bench',
    description: 'Published Terminal-Bench results. The agents ran elsewhere; their commands here are placeholders.',
    agents: sortedIds(include.map((pair) => pair.agent)).map((id) => ({ id, command: importedAgentCommand })),
    models: sortedIds(include.map((pair) => pair.model)),
    prompts: sortedIds([...tasks.keys()]).map((id) => ({ id, text: tasks.get(id) ?? id })),
    variants: { include },
  }
}

const sortedIds = (ids: readonly (string | undefined)[]) =>
  [...new Set(ids.filter((id) => id !== undefined))].sort((a, b) => (a < b ? -1 : 1))

export const toYaml = (definition: Definition) => dump(definition, { lineWidth: 120, noRefs: true })
