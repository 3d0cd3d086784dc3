import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

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

/** Reads and checks a definition as the server does. A folder means the `experiment.yaml` in it; without a name, that of the current folder is read. */
export async function readDefinition(io: Pick<Io, 'folder'>, name: string | undefined): Promise<DefinitionFile> {
  const named = resolve(io.folder, name ?? '.')
  const isFolder = (await stat(named).catch(() => null))?.isDirectory()
  for (const path of isFolder ? usualNames.map((usual) => join(named, usual)) : [named]) {
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) continue
    if (found.size > limits.yamlBytes)
      throw new CommandError(`${path} is too large: the limit is ${limits.yamlBytes.toLocaleString('en')} bytes`)
    const text = await readFile(path, 'utf8')
    return { path, text, ...checkText(text) }
  }
  throw new CommandError(
    isFolder
      ? `There is no experiment.yaml in ${name === undefined ? 'this folder' : name}. Name the file, or run: assay init`
      : `There is no file ${name}`,
  )
}

/** The fields of --json about a file, valid or not. */
export const faultsOf = (file: string, { problems, warnings }: Pick<DefinitionFile, 'problems' | 'warnings'>) => {
  const said = ({ line, message }: Problem) => ({ line, message })
  return { file, problems: problems.map(said), warnings: warnings.map(said) }
}

/** `experiment.yaml:6: tests must be a list`, a line per problem. */
export const problemLines = (file: string, problems: readonly Problem[]) =>
  problems.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n')
