import { messageOf } from '#contract/wire/message-of.ts'
import { isRecord } from './fields.ts'
import type { LeftOut } from './left-out.ts'
import { type Look, parseLine } from './look-at-file.ts'
import { readLines, type ResultFile } from './result-files.ts'

const maxNamed = 20

/** The objects of a file: its lines, its list, or its only document. Lines that are no objects are left out with their number. */
export async function* readRecords(
  file: ResultFile,
  look: Look,
  leaveOut: (left: LeftOut) => void,
): AsyncGenerator<Record<string, unknown>> {
  if (look.kind === 'json' || look.kind === 'yaml') {
    const list: unknown[] = Array.isArray(look.document) ? look.document : [look.document]
    yield* list.filter(isRecord)
    return
  }
  const broken: number[] = []
  let number = 0
  let count = 0
  try {
    for await (const line of readLines(file)) {
      number += 1
      if (line.trim() === '') continue
      const record = parseLine(line)
      if (isRecord(record)) yield record
      else {
        count += 1
        if (broken.length < maxNamed) broken.push(number)
      }
    }
  } catch (error) {
    const reason = `after line ${number}: ${messageOf(error)}`
    leaveOut({ what: 'file', file: file.path, reason })
  }
  if (count > 0)
    leaveOut({ what: 'trial', file: file.path, reason: `no JSON object in line ${broken.join(', ')}`, count })
}
