import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { stringify } from 'smol-toml'

import { UnusableTask } from '#platform/inputs/tasks/benchmark-task.ts'

/** A task that becomes a folder in the format of Harbor. `files` are texts by their path in it. */
export type TaskFolder = { id: string; files: Readonly<Record<string, string>> }

/** `image`, or else `environment`, is where its runs start. Tests and solution are files by their path below their folder. */
type HarborTask = {
  instruction: string
  image?: string | null
  /** Files that are built into an image, with a Dockerfile. */
  environment?: Readonly<Record<string, string>>
  network: boolean
  agentSeconds: number
  testSeconds: number
  difficulty?: string | null
  tags?: readonly string[]
  tests: Readonly<Record<string, string>>
  solution: Readonly<Record<string, string>> | null
}

/** The files of a task folder of Harbor. */
export function harborFolder(task: HarborTask): TaskFolder['files'] {
  const { difficulty, tags = [] } = task
  const metadata = { ...(difficulty && { difficulty }), ...(tags.length > 0 && { tags: [...tags] }) }
  const settings = {
    agent: { timeout_sec: task.agentSeconds },
    verifier: { timeout_sec: task.testSeconds },
    environment: {
      ...(typeof task.image === 'string' && { docker_image: task.image }),
      network_mode: task.network ? 'public' : 'no-network',
    },
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  return {
    'task.toml': stringify(settings),
    'instruction.md': task.instruction,
    ...below('environment', task.environment ?? {}),
    ...below('tests', task.tests),
    ...below('solution', task.solution ?? {}),
  }
}

/** The same files in a folder. */
export const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

/** A text of several lines as code of Markdown, whatever fences it has. */
export function fenced(language: string, code: string) {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code.trimEnd()}\n${fence}\n`
}

/** Writes the files of a task below an empty folder. Throws `UnusableTask` for a path that leads out of it. */
export async function writeTaskFolder(folder: string, files: TaskFolder['files']) {
  for (const [path, text] of Object.entries(files)) {
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
      throw new UnusableTask(`${path} is no path of a file in it`)
    if (text.includes('\0')) throw new UnusableTask('it is not plain text')
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, text)
  }
}
