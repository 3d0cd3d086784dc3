import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { BenchmarkTask } from './benchmark-task.ts'
import { type ComposedContainer, readCompose } from './read-compose.ts'
import { isFolder, readTaskFile } from './read-task-file.ts'

type Container = ComposedContainer & Pick<BenchmarkTask, 'context'>

/** Reads the Dockerfile and the Compose file in a folder. */
export async function readContainer(folder: string): Promise<Container> {
  const none = { image: null, env: {}, notes: [] }
  if (!(await isFolder(folder))) return { ...none, context: null }
  const dockerfile = await readTaskFile(join(folder, 'Dockerfile'))
  const compose = await readTaskFile(join(folder, 'docker-compose.yaml'))
  const composed = compose === null ? none : readCompose(compose)
  const notes = startsProgram(dockerfile ?? '')
    ? ['The program that its Dockerfile starts (CMD or ENTRYPOINT) is not started']
    : []
  const context = dockerfile === null ? null : await filesIn(folder)
  return { ...composed, context, notes: [...composed.notes, ...notes] }
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
