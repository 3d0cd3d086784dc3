import type { Outcome } from '#contract/outcomes.ts'
import { timeOfCase } from './case-name.ts'
import { knownOutcome } from './outcome-words.ts'
import { readTime } from './report-time.ts'

export type TapDescription = { name: string; outcome: Outcome | null; durationMs: number | null }

/** Directives of KTAP, which Linux's tests write, and details of other writers. They are no part of the name. */
const ownDirective = /^(XFAIL|XPASS|TIMEOUT|ERROR)(?!\S)/
const detail = /^(?:exit|rc|status|signal|time|duration|duration_ms)=\S*$/i

/** `pg_regress` puts durations into a column. A run of blanks is only searched in the last characters. */
const column = new RegExp(String.raw`\s{2,}(${timeOfCase})$`, 'i')
const columnCharacters = 40

/** The parts of a test point's description that TAP itself gives no meaning. */
export function readDescription(description: string): TapDescription {
  const mark = description.lastIndexOf(' # ')
  const note = mark < 0 ? '' : description.slice(mark + 3).trim()
  const word = ownDirective.exec(note)?.[1]
  const plain = word !== undefined || detail.test(note) ? description.slice(0, mark) : description
  const time = column.exec(plain.slice(-columnCharacters))
  const name = time ? plain.slice(0, plain.length - time[0].length) : plain
  return {
    name: name.replace(/^-(?:\s+|$)/, '').trim(),
    outcome: word === undefined ? null : knownOutcome(word),
    durationMs: readTime(time?.[1]),
  }
}
