import type { Definition, Prompt } from '#contract/definition.ts'
import { oracle, solutionPlace, testsFolder } from '#platform/inputs/tasks/task-parts.ts'
import type { ReadTask } from '#platform/inputs/tasks/read-task.ts'
import { type ListedTask, parentOfFolders, type Wanted } from './listed-tasks.ts'

const nothing = 'nothing'

const ownAgents: Definition['agents'] = [
  { id: oracle, command: ['sh', `${solutionPlace}/oracle.sh`] },
  { id: nothing, command: ['sh', '-c', ':'] },
]

const isOwnAgent = (agent: Definition['agents'][number]) =>
  ownAgents.some(({ id, command }) => id === agent.id && JSON.stringify(command) === JSON.stringify(agent.command))

/** True for a definition that an import wrote, which a later import may replace. */
export const isImportOfTasks = ({ agents, tasks, prompts = [] }: Definition) =>
  agents.some(isOwnAgent) &&
  (tasks !== undefined || prompts.every(({ steps, tests = [] }) => (steps ?? [{ tests }]).every(hasTests)))

const hasTests = ({ tests = [] }: Pick<Prompt, 'tests'>) => tests.some(({ files = [] }) => files.some(isTests))

const isTests = ({ dest }: { dest: string }) => dest === testsFolder

/** A task with what it becomes in a definition; null where the parts of all tasks would not fit into one. */
export type TaskWithParts = ListedTask & { parts: ReadTask | null }

/**
 * The experiment of these tasks: each is a prompt with its own environment, tests and time limit, or one for each wording. Agents and settings
 * that people added to `previous` stay.
 */
export const toDefinition = (
  tasks: readonly TaskWithParts[],
  wanted: Wanted,
  previous: Definition | null,
): Definition => ({
  ...withoutTasks(tasks, wanted, previous),
  environments: tasks.flatMap(({ parts }) => parts?.environment ?? []),
  prompts: tasks.flatMap(({ parts }) => parts?.prompts ?? []),
})

/** The same for more tasks than a definition can hold: it names their folders, which are in its package. */
export const toFolderDefinition = (
  tasks: readonly ListedTask[],
  wanted: Wanted,
  previous: Definition | null,
): Definition => ({ ...withoutTasks(tasks, wanted, previous), tasks: `${parentOfFolders}/*` })

/** As in the schema of a definition. */
export const maxExcluded = 2000

const withoutSolution = (tasks: readonly ListedTask[]) =>
  tasks.filter(({ hasSolution }) => !hasSolution).flatMap(({ wordings }) => wordings)

/** Whether the definition has no agent `oracle` although some tasks have a solution. */
export const leavesOutOracle = (tasks: readonly ListedTask[]) =>
  tasks.some(({ hasSolution }) => hasSolution) && withoutSolution(tasks).length > maxExcluded

function withoutTasks(tasks: readonly ListedTask[], wanted: Wanted, previous: Definition | null): Definition {
  const unsolved = withoutSolution(tasks)
  const hasOracle = tasks.some(({ hasSolution }) => hasSolution) && !leavesOutOracle(tasks)
  const own = ownAgents.filter(({ id }) => (id === oracle ? hasOracle : wanted.withNothing || !hasOracle))
  const added = previous?.agents.filter((agent) => !isOwnAgent(agent)) ?? []
  const exclude = hasOracle ? unsolved.map((prompt) => ({ agent: oracle, prompt })) : []
  const { variants: _variants, environments: _environments, prompts: _prompts, tasks: _tasks, ...kept } = previous ?? {}
  return {
    ...kept,
    id: wanted.experimentId,
    name: previous?.name ?? wanted.name,
    agents: [...own, ...added],
    ...(exclude.length > 0 && { variants: { exclude } }),
  }
}
