import { basename, join } from 'node:path'

import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { toAxisId } from '#platform/import/terminal-bench/submission.ts'
import { type BenchmarkTask, UnusableTask, wholeSeconds } from './benchmark-task.ts'
import { sortVariables } from './read-compose.ts'
import { readContainer } from './read-container.ts'
import { isFile, isFolder, readTaskFile } from './read-task-file.ts'

/** The limit of an agent or of tests that sets none, as in Harbor. */
const defaultSeconds = 600

const Variables = z.record(z.string(), z.string()).default({})
const seconds = z.number().positive().default(defaultSeconds)
const user = z.union([z.string(), z.number()]).optional()

const TaskFile = z.looseObject({
  steps: z.array(z.unknown()).default([]),
  agent: z.looseObject({ timeout_sec: seconds, user }).prefault({}),
  verifier: z
    .looseObject({ timeout_sec: seconds, env: Variables, user, environment_mode: z.string().optional() })
    .prefault({}),
  solution: z.looseObject({ env: Variables }).prefault({}),
  environment: z
    .looseObject({
      docker_image: z.string().optional(),
      os: z.string().optional(),
      env: Variables,
      allow_internet: z.boolean().optional(),
      network_mode: z.string().optional(),
      gpus: z.number().default(0),
      mcp_servers: z.array(z.unknown()).default([]),
      skills_dir: z.string().optional(),
      healthcheck: z.unknown().optional(),
      workdir: z.string().optional(),
    })
    .prefault({}),
})
type TaskFile = z.infer<typeof TaskFile>

/** Reads a task folder of Harbor: its settings, instruction, environment, tests and solution. */
export async function readHarbor(folder: string): Promise<BenchmarkTask> {
  const task = await readTaskToml(folder)
  refuseUnusable(task)
  const { environment, verifier, agent } = task
  const instruction = await readTaskFile(join(folder, 'instruction.md'))
  if (!instruction?.trim()) throw new UnusableTask('it has no instruction.md')
  if (!(await hasFile(join(folder, 'tests'), 'test.sh'))) throw new UnusableTask('it has no tests/test.sh')
  const container = await readContainer(join(folder, 'environment'))
  const [ofEnvironment, ofTests] = [environment.env, verifier.env].map((env) => sortVariables(Object.entries(env)))
  const solution = await findSolution(folder, task)
  return {
    id: toAxisId(basename(folder)),
    instruction,
    image: environment.docker_image ?? container.image,
    context: container.context,
    env: { ...container.env, ...ofEnvironment?.env },
    network: environment.allow_internet ?? environment.network_mode !== 'none',
    agentSeconds: wholeSeconds(agent.timeout_sec),
    testSeconds: wholeSeconds(verifier.timeout_sec),
    tests: {
      packed: [{ from: join(folder, 'tests'), to: 'tests' }],
      script: 'test.sh',
      verdict: 'reward',
      variables: ofTests?.env ?? {},
    },
    solution: solution.found,
    notes: [
      ...container.notes,
      ...notesOf(task),
      ...withoutValue([...(ofEnvironment?.unknown ?? []), ...(ofTests?.unknown ?? []), ...(solution.unknown ?? [])]),
    ],
  }
}

async function readTaskToml(folder: string): Promise<TaskFile> {
  const text = await readTaskFile(join(folder, 'task.toml'))
  if (text === null) throw new UnusableTask('it has no task.toml')
  const parsed = TaskFile.safeParse(parseToml(text))
  if (parsed.success) return parsed.data
  throw new UnusableTask(`task.toml: ${sentencesOf(parsed.error)}`)
}

function parseToml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const line = error instanceof TomlError ? ` (line ${error.line})` : ''
    throw new UnusableTask(`task.toml is not valid TOML${line}`)
  }
}

function refuseUnusable({ steps, environment }: TaskFile) {
  if (steps.length > 0) throw new UnusableTask('it has several steps, and a run has one prompt')
  if (environment.os !== undefined && environment.os !== 'linux')
    throw new UnusableTask(`it needs ${environment.os}, and runs execute on Linux`)
  if (environment.gpus > 0) throw new UnusableTask('it needs a GPU')
}

function notesOf({ agent, verifier, environment }: TaskFile) {
  return [
    ...(verifier.environment_mode === 'separate'
      ? ['Its tests run in the environment of the agent, not in one of their own']
      : []),
    ...(agent.user === undefined && verifier.user === undefined
      ? []
      : ['Agent and tests run as the user of the image, not as the users in task.toml']),
    ...(environment.workdir === undefined ? [] : ['The working directory is that of the image, not `workdir`']),
    ...(environment.mcp_servers.length > 0 ? ['Its MCP servers are not offered to the agent'] : []),
    ...(environment.skills_dir === undefined ? [] : ['Its skills are not offered to the agent']),
    ...(environment.healthcheck === undefined ? [] : ['Its health check does not run']),
  ]
}

const withoutValue = (names: readonly string[]) =>
  names.length === 0 ? [] : [`Variables without a value are left out: ${[...new Set(names)].join(', ')}`]

/** False if the folder is a link, which could lead out of the task. */
const hasFile = async (folder: string, name: string) => (await isFolder(folder)) && isFile(join(folder, name))

async function findSolution(folder: string, { solution }: TaskFile) {
  const place = join(folder, 'solution')
  if (!(await hasFile(place, 'solve.sh'))) return { found: null }
  const { env, unknown } = sortVariables(Object.entries(solution.env))
  const packed = [{ from: place, to: 'solution' }]
  return { found: { packed, folder: '/solution', script: 'solve.sh', variables: env }, unknown }
}
