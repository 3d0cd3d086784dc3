import { describeLeftOut } from '#contract/left-out.ts'
import { counted } from '#contract/wire/counted.ts'
import { toPlainLine } from '#server-kit/plain-line.ts'
import type { ResultsReceipt } from './import-results.ts'

/** What an import made and left out, as lines for a terminal. */
export function describeResults(experiment: string, { formats, imported, alreadyImported, leftOut }: ResultsReceipt) {
  const read = formats.map(({ title, runs }) => `${counted(runs, 'run')} of ${title}`).join(', ')
  return [
    `Read ${read}`,
    `Imported ${counted(imported, 'run')} into ${experiment}; ${alreadyImported} were already imported`,
    ...describeLeftOut(leftOut).map(toPlainLine),
  ]
}
