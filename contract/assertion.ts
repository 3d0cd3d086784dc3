import { errorShapes, findShape, type Shape, testShapes } from './assertion-shapes.ts'

const maxLines = 1500
const maxLineCharacters = 400
const maxShownLines = 8

/** `error: |-` or `error: 'not equal'` in diagnostics, with what stands before it. */
const field = /^(\s*)(?:error|message): ?(?:[|>][-+]?|(['"])(.+)\2)$/
const pytestLine = /^E {2,}(\S.*)$/
const namedError =
  /^\s*(?:Uncaught |Caused by: |\[?cause\]?: )?(?:[A-Za-z_$][\w$]*(?:\.|::))*(?:[A-Za-z_$][\w$]*)?(?:Error|Exception|Failure)(?: \[\w+\])?: \S/
/** The sentence of a reward that does not pass (`withSentence` in read-rewards.ts). */
const lowReward = / is below .+, the least value that passes$/
const stackFrame = /^\s*(?:at |File "|#\d+ |\.\.\. |-{5}|={5})/

/**
 * What a failed test says is wrong, such as `6 !== 4`, found in what it printed: the error of TAP diagnostics, pytest's
 * lines of an assertion, a reward that is too low, what another tool for tests prints, or the first named error with the
 * lines below it. Null if it prints none of these. Text is at most eight lines.
 */
export function findAssertion(...outputs: readonly string[]): string | null {
  const printed = outputs.map((output) =>
    output.split('\n', maxLines).map((line) => withoutColors(line.slice(0, maxLineCharacters)).trimEnd()),
  )
  for (const find of [ofTest, ofProgram])
    for (const lines of printed) {
      const found = find(lines)
      if (found !== null && found.length > 0) return found.slice(0, maxShownLines).join('\n')
    }
  return null
}

const ofTest = (lines: readonly string[]) =>
  ofDiagnostics(lines) ?? ofPytest(lines) ?? ofReward(lines) ?? ofShapes(lines, testShapes) ?? ofError(lines)

const ofProgram = (lines: readonly string[]) => ofShapes(lines, errorShapes)

function ofShapes(lines: readonly string[], shapes: readonly Shape[]) {
  for (const shape of shapes) {
    const found = findShape(lines, shape)
    if (found !== null && found.length > 0) return found
  }
  return null
}

const escape = '\u{1b}'
const color = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
const withoutColors = (line: string) => line.replace(color, '')

function ofDiagnostics(lines: readonly string[]) {
  const at = lines.findIndex((line) => field.test(line))
  const [, indent = '', , inline] = field.exec(lines[at] ?? '') ?? []
  if (at < 0) return null
  if (inline !== undefined) return [inline]
  const end = lines.findIndex((line, place) => place > at && line !== '' && !line.startsWith(`${indent} `))
  return lines
    .slice(at + 1, end < 0 ? undefined : end)
    .filter((line) => line !== '')
    .map((line) => line.trim())
}

function ofPytest(lines: readonly string[]) {
  const at = lines.findIndex((line) => pytestLine.test(line))
  if (at < 0) return null
  const end = lines.findIndex((line, place) => place > at && !pytestLine.test(line))
  return lines.slice(at, end < 0 ? undefined : end).map((line) => line.replace(/^E +/, ''))
}

function ofReward(lines: readonly string[]) {
  const found = lines.find((line) => lowReward.test(line))
  return found === undefined ? null : [found]
}

function ofError(lines: readonly string[]) {
  const at = lines.findIndex((line) => namedError.test(line))
  if (at < 0) return null
  const end = lines.findIndex((line, place) => place > at && stackFrame.test(line))
  return lines
    .slice(at, Math.min(end < 0 ? at + maxShownLines : end, at + maxShownLines))
    .map((line) => line.trim().replace(/^\[?cause\]?: /, ''))
    .filter((line) => line !== '')
}
