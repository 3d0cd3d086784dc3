import { basename } from 'node:path/posix'

import { issuesWithTasks } from '#contract/check-definition.ts'
import type { Definition, Prompt, RunEnvironment } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { DefinitionTest } from '#contract/task-fields.ts'
import { taskFolderMatcher, taskPatternsOf } from '#contract/task-folders.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { TaskParts } from '#platform/ground/database/tables/packaged-tasks.ts'
import { invalid, invalidFields } from '#platform/ground/failures/failure.ts'
import { toAxisId } from '#platform/ground/ids/axis-id.ts'
import { readTasksApart } from '#platform/inputs/tasks/read-tasks-apart.ts'
import { findOutlines, insertTask } from './packaged-task-store.ts'
import { packageKey } from './stage-blob.ts'

type Services = Pick<Context, 'db' | 'blobs' | 'organization'>
type TaskFolder = { name: string; source: string; tarSha256: string }

/**
 * The definition with an outline of each task folder that it names, which is all that variants, lists and pages need. A folder that
 * was read before is not read again. Errors: `invalid_argument` for folders that are missing, have the same name or cannot run.
 */
export async function readTaskFolders(context: Services, written: Definition, files: readonly VersionFile[]) {
  const patterns = taskPatternsOf(written)
  if (patterns.length === 0) return written
  const folders = findFolders(patterns, files)
  const outlines = await outlinesOf(context, folders)
  const missing = folders.filter((folder) => !outlines.has(keyOf(folder)))
  await readMissing(context, missing, outlines)
  const tasks = folders.flatMap((folder) => outlines.get(keyOf(folder)) ?? [])
  const definition: Definition = {
    ...written,
    environments: [...(written.environments ?? []), ...tasks.map(({ environment }) => environment)],
    prompts: [...(written.prompts ?? []), ...tasks.flatMap(({ prompts }) => prompts)],
  }
  const issues = issuesWithTasks(definition)
  if (issues.length > 0) throw invalidFields(issues)
  return definition
}

const keyOf = ({ name, tarSha256 }: Pick<TaskFolder, 'name' | 'tarSha256'>) => `${tarSha256}/${name}`

/** The name of the prompt and of the environment of a task folder. */
const taskName = (source: string) => toAxisId(basename(source))

function findFolders(patterns: readonly string[], files: readonly VersionFile[]): TaskFolder[] {
  for (const [index, pattern] of patterns.entries()) {
    const isMeant = taskFolderMatcher([pattern])
    if (!files.some(({ source }) => isMeant(source)))
      throw invalidFields([{ path: ['tasks', index], message: `the package has no task folder ${pattern}` }])
  }
  const isTask = taskFolderMatcher(patterns)
  const found = new Map<string, TaskFolder>()
  for (const { source, tarSha256 } of files) {
    if (!isTask(source)) continue
    const name = taskName(source)
    const same = found.get(name)
    if (same && same.source !== source)
      throw invalidFields([{ path: ['tasks'], message: `${same.source} and ${source} are both called ${name}` }])
    found.set(name, { name, source, tarSha256 })
  }
  return [...found.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

async function outlinesOf({ db, organization }: Services, folders: readonly TaskFolder[]) {
  const rows = await findOutlines(db, organization.id, [...new Set(folders.map(({ tarSha256 }) => tarSha256))])
  return new Map<string, TaskParts>(rows.map((row) => [keyOf(row), row.outline]))
}

const maxRefusals = 20
const wayOut = 'move the folders that cannot run elsewhere, or name only the others, and push again'

async function readMissing(
  { db, blobs, organization }: Services,
  folders: readonly TaskFolder[],
  outlines: Map<string, TaskParts>,
) {
  const refusals: string[] = []
  await readTasksApart(organization.id, folders, {
    fetch: async ({ source, tarSha256 }) => {
      const tar = await blobs.get(packageKey(tarSha256))
      if (!tar) throw invalid(`${source} is no longer staged`)
      return tar
    },
    onTask: async ({ name, tarSha256 }, { environment, prompts }) => {
      const outline = { environment: outlineOfEnvironment(environment), prompts: prompts.map(outlineOf) }
      const key = { organizationId: organization.id, tarSha256, name }
      await insertTask(db, { ...key, outline, whole: { environment, prompts } })
      outlines.set(keyOf(key), outline)
    },
    onRefusal: ({ source }, reason) => refusals.push(`${source}: ${reason}`),
  })
  if (refusals.length === 0) return
  const shown = refusals
    .toSorted()
    .slice(0, maxRefusals)
    .map((message) => ({ path: ['tasks'], message }))
  const rest = refusals.length - shown.length
  const more = rest > 0 ? [{ path: ['tasks'], message: `and ${rest} more task folders cannot run` }] : []
  throw invalidFields([...shown, ...more, { path: ['tasks'], message: wayOut }])
}

/** Without the files of its builds, which are in the task's own package. */
const outlineOfEnvironment = ({ services, ...environment }: RunEnvironment): RunEnvironment => ({
  ...outlineOfBuild(environment),
  ...(services && { services: services.map(outlineOfBuild) }),
})

const outlineOfBuild = <Rooted extends Pick<RunEnvironment, 'build'>>({ build, ...rooted }: Rooted) => ({
  ...rooted,
  ...(build && { build: { context: [{ dest: 'Dockerfile', content: '' }] } }),
})

const maxLine = 300

/** Without files and setup, and with the start of its text on one line. */
const outlineOf = ({ files: _files, setup: _setup, text, tests = [], steps, ...prompt }: Prompt): Prompt => ({
  ...prompt,
  text: firstLineOf(text),
  tests: tests.map(outlineOfTest),
  ...(steps && {
    steps: steps.map((step) => ({
      id: step.id,
      text: firstLineOf(step.text),
      tests: step.tests?.map(outlineOfTest),
    })),
  }),
})

const outlineOfTest = ({ name, command }: DefinitionTest) => ({ name, command: command.slice(0, 1) })

/** Only the start is looked at, because a text can be long. */
export const firstLineOf = (text: string) =>
  text
    .slice(0, 4 * maxLine)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLine)

type Version = { organizationId: string; definition: Definition; files: VersionFile[] }

/** The task folder of an environment, or null if the definition itself has the environment. */
export function findTaskFolder({ definition, files }: Version, environment: string | null) {
  const patterns = taskPatternsOf(definition)
  if (patterns.length === 0 || environment === null) return null
  const isTask = taskFolderMatcher(patterns)
  return files.find(({ source }) => isTask(source) && taskName(source) === environment) ?? null
}
