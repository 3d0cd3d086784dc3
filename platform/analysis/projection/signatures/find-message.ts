import { normalizeMessage, toPlainLine } from './normalize-message.ts'

/** The end of the output, where the error is. */
const maxCharacters = 32 * 1024
const maxLines = 400

const linesBefore = 2
const linesAfter = 6
const maxExampleCharacters = 1200
const maxExampleLineCharacters = 400

/** A message with placeholders, the same as it was printed, and the lines around it. */
export type FoundMessage = { signature: string; message: string; example: string }

/** `error: 'not equal'` in the diagnostics of a report, or `error: |-` with the value on the next line. */
const field = /^(?:error|message|reason): *(?:[|>][-+]?$|(?=['"])(.*)$)/u

/** `AssertionError: …`, `std::runtime_error: …`, `E   KeyError: …` at the start of a line. */
const namedError =
  /^(?:E\s+|Uncaught\s+|Caused by:\s*|\[?cause\]?:\s*)?(?:[\w$]+(?:\.|::))*[A-Za-z_][\w$]*(?:Error|Exception|Failure|_error)\b(?: \[\w+\])?(?::|$)/u

const panic = /^(?:thread .{0,100} panicked at|panic:|fatal(?: error)?:|error(?:\[\w+\])?:)/iu

const telling =
  /\b(?:errors?|fail(?:ed|ure|ures)?|panic(?:ked)?|fatal|assert\w*|expect(?:ed|s)?|exception|not ok|cannot|can['’]t|could not|couldn['’]t|unable|denied|timed out|no such|not found|undefined|missing|mismatch|refused|invalid|unexpected|killed)\b/iu

/** Lines that every failure of a test runner prints, and frames of stacks. Each alternative takes linear time. */
const noise =
  /^(?:at .+|File "?.+, line \d+.*|Traceback .*|Node\.js v[\d.]+|[-=~^*#+|_.\s]+|# (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms)\b.*|(?:Tests?|Test Suites|Test Files|Suites?):? .*\d (?:failed|passed).*|=* *(?:\d+ (?:failed|passed|errors?|skipped|warnings?),? ?)+in [\d.]+s.*|FAILED \((?:failures|errors)=\d+.*\)|Ran \d+ tests? in .*|\+ actual - expected|(?:failureType|code|stack|location|name|operator|duration_ms|type):.*|(?:actual|expected|generatedMessage|diff): .*,)$/iu

/**
 * The message of a failed test in its output, or null if it printed none. `testName` finds its line in an output that
 * several tests share.
 */
export function findMessage(output: string, testName = ''): FoundMessage | null {
  const lines = output.slice(-maxCharacters).split('\n').slice(-maxLines).map(toPlainLine)
  for (const find of [ofTest(testName), ofField, last(namedError), last(panic), lastTelling, lastWords]) {
    const found = find(lines)
    if (!found) continue
    const message = withValues(unwrap(found.message), lines, found.at)
    const signature = normalizeMessage(message)
    if (signature) return { signature, message, example: exampleOf(lines, found.at) }
  }
  return null
}

const linesOfValues = 8

/** `Expected values to be strictly equal:` with the values, which are printed below it: `… 6 !== 4`. */
function withValues(message: string, lines: readonly string[], at: number) {
  if (!message.endsWith(':')) return message
  const below = lines.slice(at + 1, at + 1 + linesOfValues)
  const values = below.find((line) => /[\p{L}\d]/u.test(line) && !noise.test(line))
  return values === undefined ? message : `${message} ${values}`
}

type Place = { at: number; message: string }
type Find = (lines: readonly string[]) => Place | null

/** pytest's summary: `FAILED tests/test_a.py::test_block - Failed: not responding`. */
function ofTest(testName: string): Find {
  const leaf = testName.split(/\/|::/u).at(-1) ?? ''
  return (lines) => {
    if (leaf.length < 3) return null
    const at = lines.findLastIndex((line) => line.startsWith('FAILED ') && line.includes(`${leaf} - `))
    const line = lines[at]
    return line === undefined ? null : { at, message: line.slice(line.indexOf(`${leaf} - `) + leaf.length + 3) }
  }
}

const ofField: Find = (lines) => {
  const at = lines.findIndex((line) => field.test(line))
  if (at < 0) return null
  const value = field.exec(lines[at] ?? '')?.[1]
  if (value) return { at, message: value }
  const next = lines.findIndex((line, place) => place > at && line !== '')
  return next < 0 ? null : { at: next, message: lines[next] ?? '' }
}

const last =
  (pattern: RegExp): Find =>
  (lines) =>
    lastLineWhere(lines, (line) => pattern.test(line))

const lastTelling: Find = (lines) => lastLineWhere(lines, (line) => telling.test(line) && !noise.test(line))

const lastWords: Find = (lines) => lastLineWhere(lines, (line) => /\p{L}/u.test(line) && !noise.test(line))

function lastLineWhere(lines: readonly string[], isFound: (line: string) => boolean): Place | null {
  const at = lines.findLastIndex(isFound)
  return at < 0 ? null : { at, message: lines[at] ?? '' }
}

/** A message that is quoted as a whole, or marked by pytest or as the cause of another, is itself the message. */
function unwrap(message: string) {
  const text = message.replace(/^(?:E\s+|\[?cause\]?:\s*|Caused by:\s*)/u, '').trim()
  const quote = text[0] ?? ''
  return text.length > 2 && `'"`.includes(quote) && text.endsWith(quote) ? text.slice(1, -1) : text
}

const exampleOf = (lines: readonly string[], at: number) =>
  lines
    .slice(Math.max(0, at - linesBefore), at + linesAfter + 1)
    .map((line) => line.slice(0, maxExampleLineCharacters))
    .join('\n')
    .trim()
    .slice(0, maxExampleCharacters)
    .toWellFormed()
