import type { FoundTest } from '#platform/program/import-formats/reading/found-run.ts'
import { field, toList, toName, toNumber, toWords } from '#platform/program/import-formats/reading/fields.ts'
import { lookAtFile } from '#platform/program/import-formats/reading/look-at-file.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { Reading } from '#platform/program/import-formats/reading/result-format.ts'
import { outcomeOf } from '#platform/engine/run-engine/captured-tests/reports/outcome-words.ts'

/** Where the verifier, or the verifier of the last step, leaves the cases of its tests. */
const places = ['verifier/ctrf.json', 'ctrf.json']

/** The cases beside a trial. Durations are in seconds or in milliseconds, so start and stop count. */
export async function readCtrfTests({ beside, leaveOut }: Reading, trial: ResultFile): Promise<FoundTest[]> {
  const file = places.map((place) => beside(trial, place)).find((found) => found !== null)
  if (!file) return []
  const look = await lookAtFile(file)
  const tests = look.kind === 'json' ? field(look.document, 'results', 'tests') : undefined
  if (!Array.isArray(tests)) {
    leaveOut({
      what: 'file',
      file: file.path,
      reason: look.kind === 'unread' ? look.reason : 'it is not a CTRF report',
    })
    return []
  }
  return toList(tests).map((test, index) => ({
    name: toName(field(test, 'name')) ?? `test ${index + 1}`,
    outcome: outcomeOf(toWords(field(test, 'status'))),
    durationMs: durationOf(test),
    message: [field(test, 'message'), field(test, 'trace')]
      .map(toWords)
      .filter((part) => part !== '')
      .join('\n'),
  }))
}

function durationOf(test: unknown) {
  const [start, stop] = [toNumber(field(test, 'start')), toNumber(field(test, 'stop'))]
  if (start === null || stop === null || stop < start) return toNumber(field(test, 'duration'))
  return (stop - start) * (start < 1e11 ? 1000 : 1)
}
