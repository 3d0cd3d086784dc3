import { type Look, samplesOf } from '#platform/program/import/reading/look-at-file.ts'
import { csvParser, delimiterOf } from '#platform/program/import/reading/read-csv.ts'

/** The names of the columns. A list of objects has those of its first ones. */
export function headerOf(look: Look): readonly string[] {
  if (look.kind === 'text')
    return csvParser(delimiterOf(look.start)).push(`${look.start.split('\n', 2).join('\n')}\n`)[0] ?? []
  if (look.kind === 'json' && !Array.isArray(look.document)) return []
  return [...new Set(samplesOf(look).flatMap((sample) => Object.keys(sample)))]
}

export const hasNames = (header: readonly string[]) => header.every((name) => Number.isNaN(Number(name)) || name === '')
