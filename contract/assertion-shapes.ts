/**
 * How a tool prints what a failed test says is wrong. `start` is the line before it or, with a group, the line that
 * holds its beginning; `skip` more lines do not belong to it. `end` is the first line after it; a blank line ends it, too,
 * if `endsAtBlank`.
 */
export type Shape = { start: RegExp; end: RegExp; skip?: number; endsAtBlank?: boolean }

const stack = /^\s*(?:at |stacktrace:|stack backtrace:|Stack Trace:)/

/** Shapes that only a tool for tests prints. */
export const testShapes: readonly Shape[] = [
  // Go's testify before the plain line of Go, whose text is empty there.
  { start: /^\s*Error:\s{2,}(\S.*)$/, end: /^\s*(?:Test|Messages):\s/ },
  { start: /^\s+[\w./-]+_test\.go:\d+: (\S.*)$/, end: /^\s{0,4}\S|_test\.go:\d+: / },
  // Rust
  { start: /^thread '.*' (?:\(\d+\) )?panicked at '(.*)', \S+$/, end: /^/ },
  { start: /^thread '.*' (?:\(\d+\) )?panicked at \S+:\d+:\d+:$/, end: /^note: |^stack backtrace:/, endsAtBlank: true },
  // Jest
  { start: /^\s*● (?!Console$|Cannot log)\S/, end: /^\s*(?:at |>?\s*\d+ \|)/ },
  // PHPUnit
  { start: /^\d+\) [\w\\]+::\S+/, end: /^\/\S+:\d+$/, endsAtBlank: true },
  // GoogleTest, Catch2 and doctest
  { start: /^\S+:\d+: Failure$/, end: /^\[/, endsAtBlank: true },
  { start: /^\S+:\d+: FAILED:$/, end: /^[=-]{5}/, endsAtBlank: true },
  { start: /^\S+:\d+: ERROR: (\S.*)$/, end: /^[=-]{5}/, endsAtBlank: true },
  // RSpec, Minitest and ExUnit
  { start: /^\s+Failure\/Error: (\S.*)$/, end: /^\s+# / },
  { start: /^\s*\d+\) (?:Failure|Error):$/, end: stack, skip: 1, endsAtBlank: true },
  { start: /^\s+\d+\) test \S/, end: stack, skip: 1, endsAtBlank: true },
  // .NET
  { start: /^\s*Error Message:$/, end: stack },
  // Bats and Perl's Test::More, as comments of TAP, as read from them, and as text
  { start: /^#?\s*(`.*' failed.*)$/, end: /^(?:ok |not ok | [✓✗-] |\d+ tests?, )/ },
  { start: /^#?\s*(Failed test .*)$/, end: /^(?:ok |not ok )|^#?\s*Looks like/ },
  // CTest
  { start: /\*\*\*(?:Failed|Exception|Timeout)/, end: /^\s*(?:Start\s+\d+:|\d+\/\d+ Test|\d+% tests passed)/ },
]

/** Shapes of programs of any kind, which count only if nothing says more. */
export const errorShapes: readonly Shape[] = [
  { start: /^(panic: \S.*)$/, end: /^goroutine |^\[signal /, endsAtBlank: true },
  { start: /^[^\s:(]+(?:\(\d+,\d+\)|:\d+(?::\d+)?): (?:fatal )?(error(?: \w+)?: \S.*)$/, end: /^/ },
  {
    start: /^(error(?:\[E\d+\])?: (?!test failed|Test failed|could not compile)\S.*)$/,
    end: /^\s*(?:at |throw |[✗×] |\|)/,
  },
]

/** The lines that a shape finds, or null. */
export function findShape(
  lines: readonly string[],
  { start, end, skip = 0, endsAtBlank = false }: Shape,
): string[] | null {
  const at = lines.findIndex((line) => start.test(line))
  if (at < 0) return null
  const first = start.exec(lines[at] ?? '')?.[1]
  const found = first === undefined ? [] : [plain(first)]
  for (const line of lines.slice(at + 1 + skip)) {
    if (end.test(line) || (endsAtBlank && plain(line) === '' && found.length > 0)) break
    if (plain(line) !== '') found.push(plain(line))
  }
  return found
}

/** Bats and Test::More print each line as a comment of TAP. */
const plain = (line: string) => line.replace(/^#+/, '').trim()
