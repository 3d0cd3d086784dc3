import { readFile } from 'node:fs/promises'

import type { Definition, Prompt } from '#contract/definition.ts'
import type { TestReport } from '#contract/task-fields.ts'
import { toPlainLine } from '#platform/program/import/plain-line.ts'
import { type BenchmarkTask, wordingsOf } from './benchmark-task.ts'
import { exportCommands, type Package } from './pack-task.ts'

/** Where a task's files are in the workspace until its scripts move them to where its format expects them. */
const testsFolder = '.assay-tests'
const solutionFolder = '.assay-solution'

/** Setup moves the solution out of the workspace, or it would be among the changes of the agent `oracle`. */
const solutionPlace = '/assay-solution'
const moveSolution = ['sh', '-c', `[ ! -d ${solutionFolder} ] || mv ${solutionFolder} ${solutionPlace}`]

const oracle = 'oracle'
const nothing = 'nothing'

const ownAgents: Definition['agents'] = [
  { id: oracle, command: ['sh', `${solutionPlace}/oracle.sh`] },
  { id: nothing, command: ['sh', '-c', ':'] },
]

const isOwnAgent = (agent: Definition['agents'][number]) =>
  ownAgents.some(({ id, command }) => id === agent.id && JSON.stringify(command) === JSON.stringify(agent.command))

/** True for a definition that an import wrote, which a later import may replace. */
export const isImportOfTasks = ({ agents, prompts = [] }: Definition) =>
  agents.some(isOwnAgent) && prompts.every(({ tests = [] }) => tests.some(({ files = [] }) => files.some(isTests)))

const isTests = ({ dest }: { dest: string }) => dest === testsFolder

export type Wanted = {
  experimentId: string
  name: string
  /** Adds an agent that does nothing, which must not solve any task. */
  withNothing: boolean
  /** Names the image of every task, with `{task}` in the place of its id; null for the images that the tasks name. */
  imageTemplate: string | null
}

/**
 * The experiment of these tasks: each is a prompt with its own environment, tests and time limit, or one for each wording. Agents and settings
 * that people added to `previous` stay.
 */
export function toDefinition(tasks: readonly BenchmarkTask[], wanted: Wanted, previous: Definition | null): Definition {
  const withSolution = tasks.filter(({ solution }) => solution !== null)
  const hasOracle = withSolution.length > 0
  const own = ownAgents.filter(({ id }) => (id === oracle ? hasOracle : wanted.withNothing || !hasOracle))
  const added = previous?.agents.filter((agent) => !isOwnAgent(agent)) ?? []
  const exclude = hasOracle
    ? tasks
        .filter(({ solution }) => solution === null)
        .flatMap(wordingsOf)
        .map(({ id }) => ({ agent: oracle, prompt: id }))
    : []
  const { variants: _, ...kept } = previous ?? {}
  return {
    ...kept,
    id: wanted.experimentId,
    name: previous?.name ?? wanted.name,
    agents: [...own, ...added],
    environments: tasks.map((task) => toEnvironment(task, wanted)),
    prompts: tasks.flatMap(toPrompts),
    ...(exclude.length > 0 && { variants: { exclude } }),
  }
}

type RunEnvironment = NonNullable<Definition['environments']>[number]

const toEnvironment = (task: BenchmarkTask, wanted: Wanted): RunEnvironment => ({
  id: task.id,
  ...imageOf(task, wanted),
  ...(Object.keys(task.env).length > 0 && { env: task.env }),
  ...(task.network !== false && { network: task.network }),
})

function imageOf(task: BenchmarkTask, { imageTemplate }: Wanted): Pick<RunEnvironment, 'image' | 'build'> {
  const named = imageTemplate?.replaceAll('{task}', task.id.toLowerCase()) ?? task.image
  if (named !== null) return { image: named }
  return { build: { context: (task.context ?? []).map(({ to }) => ({ dest: to, source: buildSource(task.id, to) })) } }
}

const buildSource = (id: string, name: string) => `tasks/${id}/build/${name}`

/** Where verify.sh puts the rewards of a task and the cases beside them; other cases are printed as TAP. */
const rewardReport: TestReport = {
  format: 'reward',
  path: `${testsFolder}/reward`,
  cases: [{ format: 'ctrf', path: `${testsFolder}/ctrf.json` }, { format: 'tap' }],
}

/** As in the schema of a prompt. Texts of tasks can be long, and are lines on a page. */
const maxNotes = 100

/** The wordings of a task are variants of it: statistics count them as one task. */
function toPrompts(task: BenchmarkTask): Prompt[] {
  const wordings = wordingsOf(task)
  const shared = toPrompt(task)
  if (wordings.length === 1) return [shared]
  return wordings.map(({ id, instruction }) => ({ ...shared, id, text: instruction, task: task.id }))
}

const toPrompt = ({ id, instruction, agentSeconds, testSeconds, tests, solution, ...task }: BenchmarkTask): Prompt => ({
  id,
  text: instruction,
  ...(task.notes.length > 0 && { notes: task.notes.slice(0, maxNotes).map(toPlainLine) }),
  environment: id,
  ...(solution && {
    files: [{ dest: solutionFolder, source: sourceOf(id, 'solution'), agents: [oracle] }],
    setup: { commands: [moveSolution] },
  }),
  tests: [
    {
      name: id,
      command: ['sh', `${testsFolder}/verify.sh`, tests.script, tests.verdict],
      files: [{ dest: testsFolder, source: sourceOf(id, 'tests') }],
      timeoutSeconds: testSeconds,
      report: tests.verdict === 'reward' ? rewardReport : { format: 'tap' },
    },
  ],
  ...(task.artifacts.length > 0 && { artifacts: task.artifacts }),
  limits: { maxTimeSeconds: agentSeconds },
})

const sourceOf = (id: string, part: 'tests' | 'solution') => `tasks/${id}/${part}`

const script = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')

/** The packages of a task: the files of its build, and its tests and solution, each with the script that starts it. */
export async function packagesOf(task: BenchmarkTask, wanted: Wanted): Promise<Package[]> {
  const { id, tests, solution } = task
  const ofBuild = imageOf(task, wanted).build
    ? (task.context ?? []).map((file) => ({
        source: buildSource(id, file.to),
        dest: file.to,
        packed: [file],
        root: file.to,
      }))
    : []
  const variablesOf = (variables: Record<string, string>) =>
    Object.keys(variables).length > 0 ? [{ content: exportCommands(variables), to: 'variables.sh' }] : []
  const ofTests = {
    source: sourceOf(id, 'tests'),
    dest: testsFolder,
    root: '',
    packed: [...tests.packed, { content: await script('verify.sh'), to: 'verify.sh' }, ...variablesOf(tests.variables)],
  }
  if (!solution) return [...ofBuild, ofTests]
  const ofSolution = {
    source: sourceOf(id, 'solution'),
    dest: solutionFolder,
    root: '',
    packed: [
      ...solution.packed,
      { content: await script('oracle.sh'), to: 'oracle.sh' },
      { content: `${solution.folder}\n${solution.script}\n`, to: 'script.txt' },
      ...variablesOf(solution.variables),
    ],
  }
  return [...ofBuild, ofTests, ofSolution]
}
