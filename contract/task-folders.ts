import { z } from 'zod'

import { leadsOut } from './task-fields.ts'

const maxPatterns = 100

/** `tasks/*` means all folders in `tasks`. `*` alone is refused: it would push every folder beside the definition. */
const Pattern = z
  .string()
  .max(400)
  .refine((text) => !leadsOut(text), 'must be a folder beside the definition, without ".."')
  .refine(
    (text) => text.split('/').every((part) => part !== '' && part !== '.' && !part.includes('\0')),
    'must be a path without "." or empty parts',
  )
  .refine(
    (text) => !text.replace(/\/\*$/, '').includes('*'),
    'must be a folder, such as tasks/first, or all folders in one, such as tasks/*',
  )

/** Where the task folders of a definition are in its package: one pattern or several. */
export const TaskFolders = z.union([Pattern, z.array(Pattern).min(1).max(maxPatterns)])

export const taskPatternsOf = ({ tasks = [] }: { tasks?: z.infer<typeof TaskFolders> | undefined }): string[] =>
  [tasks].flat()

/** The folder whose folders are tasks, or null for a pattern that is a task folder itself. */
export const parentOfTasks = (pattern: string) => (pattern.endsWith('/*') ? pattern.slice(0, -2) : null)

/** Finds out whether a source of the package is a task folder of one of these patterns. */
export function taskFolderMatcher(patterns: readonly string[]): (source: string) => boolean {
  const parents = new Set(patterns.flatMap((pattern) => parentOfTasks(pattern) ?? []))
  const folders = new Set(patterns)
  return (source) => {
    const at = source.lastIndexOf('/')
    const name = source.slice(at + 1)
    return folders.has(source) || (parents.has(source.slice(0, Math.max(at, 0))) && name !== '' && !/^\.|\*/.test(name))
  }
}

/** The files that make a folder a task, by format. */
export const taskFiles = { 'terminal-bench': 'task.yaml', harbor: 'task.toml' } as const
