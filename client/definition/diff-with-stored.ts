import { relative } from 'node:path'

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'

import { getExperiment, getYaml } from '#contract/experiments.ts'
import { CommandError, exitCodes } from '#client/exit-codes.ts'
import type { Verb } from '#client/work.ts'
import { problemLines, readDefinition } from './read-definition.ts'

export type DiffOptions = { against?: string }

/** The text of a definition beside that of a stored version, by default of the latest. */
export const diffWithStored =
  (file: string | undefined, { against }: DiffOptions): Verb =>
  async ({ io, api, show }) => {
    const { path, text, definition, problems } = await readDefinition(io, file)
    const name = relative(io.folder, path)
    if (!definition) throw new CommandError(problemLines(name, problems))
    const caller = await api()
    const version = against === undefined ? {} : { version: against }
    const { ordinal, fingerprint } = await caller.call(getExperiment, { id: definition.id, ...version })
    const stored = await caller.call(getYaml, { id: definition.id, version: fingerprint })
    const differs = stored !== text
    const headerOptions = FILE_HEADERS_ONLY
    const patch = differs
      ? createTwoFilesPatch(`${definition.id} v${ordinal}`, name, stored, text, undefined, undefined, { headerOptions })
      : ''
    show(
      { experimentId: definition.id, fingerprint, ordinal, differs, patch },
      differs ? patch : `${name} equals v${ordinal} of ${definition.id}`,
    )
    return differs ? exitCodes.no : exitCodes.done
  }
