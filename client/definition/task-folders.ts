import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Definition } from '#contract/definition.ts'
import { parentOfTasks, taskFiles, taskPatternsOf } from '#contract/task-folders.ts'
import { CommandError } from '#client/exit-codes.ts'

/** The task folders of a definition, as sources of its package: those with a file that makes them a task. */
export async function findTaskSources(definition: Definition, folder: string): Promise<string[]> {
  const sources = new Set<string>()
  for (const pattern of taskPatternsOf(definition)) {
    const found = await sourcesOf(pattern, folder)
    if (found.length === 0)
      throw new CommandError(
        `The definition names the tasks ${pattern}, but ${folder} has no such folder with a ${taskFiles.harbor} or a ${taskFiles['terminal-bench']}`,
      )
    found.forEach((source) => sources.add(source))
  }
  refuseSameNames(sources)
  return [...sources].toSorted()
}

async function sourcesOf(pattern: string, folder: string) {
  const parent = parentOfTasks(pattern)
  if (parent === null) return (await isTask(join(folder, pattern))) ? [pattern] : []
  const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    const source = `${parent}/${entry.name}`
    if (entry.isDirectory() && !entry.name.startsWith('.') && (await isTask(join(folder, source)))) found.push(source)
  }
  return found
}

async function isTask(folder: string) {
  for (const name of Object.values(taskFiles))
    if ((await lstat(join(folder, name)).catch(() => null))?.isFile()) return true
  return false
}

function refuseSameNames(sources: ReadonlySet<string>) {
  const byName = Map.groupBy(sources, (source) => source.slice(source.lastIndexOf('/') + 1))
  for (const [name, same] of byName)
    if (same.length > 1) throw new CommandError(`The task folders ${same.join(' and ')} are both called ${name}`)
}
