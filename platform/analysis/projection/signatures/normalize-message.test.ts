import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { normalizeMessage } from './normalize-message.ts'

test.each([
  ['AssertionError: expected 3 to equal 42', 'AssertionError: expected <number> to equal <number>'],
  ['expected "IV" to be `4`', 'expected <text> to be <text>'],
  ["KeyError: 'name'", 'KeyError: <text>'],
  ["can't open it, won't retry", "can't open it, won't retry"],
  ['cannot read /tmp/run-81/a b.txt', 'cannot read <path> b.txt'],
  ['src/roman/parse.mjs:12:7 failed', '<path> failed'],
  ['roman.mjs:12:7: unexpected token', '<path>: unexpected token'],
  ['C:\\Users\\ada\\run.log is missing', '<path> is missing'],
  ['tests/test_outputs.py::test_block failed', '<path>::test_block failed'],
  ['read and/or write', 'read and/or write'],
  ['GET https://api.example/v1/x?id=3 failed', 'GET <url> failed'],
  ['run 0191f2c8-8f60-7000-8000-000000000001 vanished', 'run <id> vanished'],
  ['commit 9f2b6a0 and 4dd1e8f8b3c04f1fa0', 'commit <hash> and <hash>'],
  ['panic at 0x7ffd3a2b', 'panic at <address>'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED <address>'],
  ['ada@lab.example is unknown', '<address> is unknown'],
  ['timed out after 30.5 s', 'timed out after <time>'],
  ['took 812ms of 2 minutes', 'took <time> of <time>'],
  ['at 2026-03-01T12:00:07.25Z it stopped', 'at <time> it stopped'],
  ['[12:31:07] stopped', '[<time>] stopped'],
  ['[1, 2, 3.5] != [1, 2]', null],
  ['lists differ: [1, 2, 3.5] != [1, 2]', 'lists differ: [<number> …] != [<number> …]'],
  ['exit status -9, 1e-9 and 1_000', 'exit status <number> … and <number>'],
  ['utf8 and sha256 and node24 stay', 'utf8 and sha256 and node24 stay'],
  ['refuses IIII', 'refuses IIII'],
  ['\u001b[31mError:\u001b[0m   too\tlate\u0007', 'Error: too late'],
  ['\u001b]8;;https://x.example\u0007link\u001b]8;;\u0007 broke', 'link broke'],
  ['日本語のエラー 42', '日本語のエラー <number>'],
  ['42', null],
  ['"all of it"', null],
  ['', null],
  ['---- ==== ----', null],
])('%j is normalized to %j', (message, expected) => {
  expect(normalizeMessage(message)).toBe(expected)
})

test('two failures that differ only in what varies have one signature', () => {
  const of = (run: number) =>
    normalizeMessage(`run ${run}: expected "${run}" in /tmp/work-${run}/out.txt after ${run}.5 s (0x${run}f)`)
  expect(of(17)).toBe(of(90_210))
})

test.each([
  ['a line of a megabyte', (share: number) => 'x'.repeat(1_000_000 * share)],
  ['only quotes', (share: number) => '"'.repeat(100_000 * share)],
  ['escaped quotes that never end', (share: number) => '"\\'.repeat(50_000 * share)],
  ['nested quantifier bait', (share: number) => `${'a'.repeat(50_000 * share)}!`],
  ['a path without an end', (share: number) => '/a'.repeat(50_000 * share)],
  ['a path of dots', (share: number) => 'a.'.repeat(50_000 * share)],
  ['dashes and addresses', (share: number) => 'a-'.repeat(50_000 * share)],
  ['digits', (share: number) => `${'1'.repeat(50_000 * share)}x`],
  ['hexadecimal digits', (share: number) => 'a1'.repeat(50_000 * share)],
  ['terminal codes', (share: number) => '\u001b['.repeat(50_000 * share)],
  ['colons', (share: number) => '1:'.repeat(50_000 * share)],
  ['placeholders', (share: number) => '<number>,'.repeat(20_000 * share)],
])('%s is normalized to a short text in time that grows with its length', async (_, messageOf) => {
  expect(Array.from(normalizeMessage(messageOf(1)) ?? '').length).toBeLessThanOrEqual(200)
  await expectLinear((share) => normalizeMessage(messageOf(share)), 1)
})

test('a signature is well formed and printable, even if a cut falls inside a character', () => {
  const signature = normalizeMessage(`failed ${'😀'.repeat(1200)}\ud800\u0000\u0085`)
  expect(signature?.isWellFormed()).toBe(true)
  expect(signature).not.toMatch(/\p{Cc}/u)
})
