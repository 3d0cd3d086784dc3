import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { BenchmarkTask } from './benchmark-task.ts'
import { type ComposedContainer, readCompose } from './read-compose.ts'
import { isFolder, readTaskFile } from './read-task-file.ts'

/** `workspace` is where commands start; null if only the image knows it. */
type Container = ComposedContainer & Pick<BenchmarkTask, 'context'> & { workspace: string | null }

const composeFiles = ['docker-compose.yaml', 'docker-compose.yml', 'compose.yaml', 'compose.yml']

/** Reads the Dockerfile and the Compose file in a folder. */
export async function readContainer(folder: string): Promise<Container> {
  const none = { image: null, env: {}, network: true, notes: [] }
  if (!(await isFolder(folder))) return { ...none, context: null, workspace: null }
  const dockerfile = await readTaskFile(join(folder, 'Dockerfile'))
  const composed = (await readFirstCompose(folder)) ?? none
  const notes = startsProgram(dockerfile ?? '')
    ? ['The program that its Dockerfile starts (CMD or ENTRYPOINT) is not started']
    : []
  const context = dockerfile === null ? null : await filesIn(folder)
  const workspace = composed.image === null ? workspaceOf(dockerfile ?? '') : null
  return { ...composed, context, workspace, notes: [...composed.notes, ...notes] }
}

async function readFirstCompose(folder: string) {
  for (const name of composeFiles) {
    const text = await readTaskFile(join(folder, name))
    if (text !== null) return readCompose(text, name)
  }
  return null
}

/** The last WORKDIR of a Dockerfile, if it is an absolute path without variables. */
function workspaceOf(dockerfile: string) {
  const [, written = ''] = [...dockerfile.matchAll(/^[ \t]*WORKDIR[ \t]+(\S+)[ \t]*$/gim)].at(-1) ?? []
  const path = written.replace(/^"(.*)"$/, '$1')
  return path.startsWith('/') && !/[$*?]/.test(path) ? path : null
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.name !== '.git' && (entry.isFile() || entry.isDirectory()))
    .map(({ name }) => ({ from: join(folder, name), to: name }))
    .sort((a, b) => (a.to < b.to ? -1 : 1))

/** A shell, or a program that only waits, would do nothing in a run. */
const idle = /^\[?\s*"?(?:\/bin\/)?(?:ba)?sh"?\s*\]?$|sleep|tail/

const startsProgram = (dockerfile: string) =>
  [...dockerfile.matchAll(/^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+(.+)$/gim)].some(
    ([, program = '']) => !idle.test(program.trim()),
  )
