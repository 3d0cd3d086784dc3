import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { Definition } from '#contract/definition.ts'
import { limits } from '#contract/wire/limit.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'
import { checkText, type Problem } from '#src/editor/check-text.ts'

const usualNames = ['experiment.yaml', 'experiment.yml']

export type DefinitionFile = {
  path: string
  text: string
  definition: Definition | null
  problems: Problem[]
  warnings: Problem[]
}

/** Reads and checks a definition as the server does. Without a name it is the one of this folder. */
export async function readDefinition(io: Pick<Io, 'folder'>, file: string | undefined): Promise<DefinitionFile> {
  for (const name of file === undefined ? usualNames : [file]) {
    const path = resolve(io.folder, name)
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) continue
    if (found.size > limits.yamlBytes)
      throw new CommandError(`${path} is too large: the limit is ${limits.yamlBytes.toLocaleString('en')} bytes`)
    const text = await readFile(path, 'utf8')
    return { path, text, ...checkText(text) }
  }
  throw new CommandError(
    file === undefined
      ? 'There is no experiment.yaml in this folder. Name the file, or run: assay init'
      : `There is no file ${file}`,
  )
}

/** `experiment.yaml:6: tests must be a list`, a line per problem. */
export const problemLines = (file: string, problems: readonly Problem[]) =>
  problems.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n')
