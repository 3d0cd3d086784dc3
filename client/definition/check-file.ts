import { relative } from 'node:path'

import { counted } from '#contract/wire/counted.ts'
import { taskFolderMatcher, taskPatternsOf } from '#contract/task-folders.ts'
import { variantsOf } from '#contract/variants.ts'
import { exitCodes } from '#client/exit-codes.ts'
import type { Verb } from '#client/work.ts'
import { findPackageFiles } from './package-files.ts'
import { faultsOf, problemLines, readDefinition } from './read-definition.ts'

/** Checks a definition, and that the files of its package are there. */
export const checkFile =
  (file: string | undefined): Verb =>
  async ({ io, show }) => {
    const { path, definition, problems, warnings } = await readDefinition(io, file)
    const name = relative(io.folder, path)
    const faults = faultsOf(name, { problems, warnings })
    if (!definition) {
      show({ isValid: false, ...faults }, problemLines(name, [...problems, ...warnings]))
      return exitCodes.no
    }
    const files = await findPackageFiles(definition, path)
    const isTask = taskFolderMatcher(taskPatternsOf(definition))
    const tasks = files.filter(({ source }) => isTask(source)).length
    // The server reads the folders, so it knows the variants.
    const variants = tasks > 0 ? null : variantsOf(definition).length
    const warned = warnings.length > 0 ? `${problemLines(name, warnings)}\n` : ''
    show(
      {
        isValid: true,
        ...faults,
        experimentId: definition.id,
        variants,
        tasks,
        files: files.map(({ source }) => source),
      },
      `${warned}${name} is valid: ${definition.id}, ${variants === null ? counted(tasks, 'task folder') : counted(variants, 'variant')}, ${counted(files.length, 'file')} to stage`,
    )
    return exitCodes.done
  }
