import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { findMessage } from './find-message.ts'

const node = `node:internal/modules/run_main:123
AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

3 !== 4

    at TestContext.<anonymous> (file:///work/tests/iv.test.mjs:5:10)
    at Test.runInAsyncScope (node:async_hooks:206:9) {
  generatedMessage: true,
  code: 'ERR_ASSERTION'
}

Node.js v24.1.0`

const python = `Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    parse("IIII")
  File "/app/roman.py", line 9, in parse
ValueError: not a numeral: IIII`

const tap = `failureType: 'testCodeFailure'
error: |-
  Expected values to be strictly equal:

  3 !== 4
code: 'ERR_ASSERTION'
stack: |-
  TestContext.<anonymous> (file:///work/a.mjs:3:1)`

const pytest = `============================= test session starts =============================
>       assert sum() == 42
E       assert 41 == 42
=========================== short test summary info ===========================
FAILED ../tests/test_outputs.py::test_sum - AssertionError: the sum is 41
FAILED ../tests/test_outputs.py::test_file - FileNotFoundError: out.txt
========================= 2 failed, 1 passed in 0.31s =========================`

test.each([
  [
    'an uncaught error of Node',
    node,
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: <number> !== <number>',
  ],
  [
    'an error that names its cause',
    'Error: the test failed {\n  cause: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n3 !== 4',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: <number> !== <number>',
  ],
  ['a traceback', python, 'ValueError: not a numeral: IIII'],
  ['a block in the diagnostics of a report', tap, 'Expected values to be strictly equal: <number> !== <number>'],
  ['a quoted field of a report', "failureType: 'x'\nerror: 'The sum is 41'", 'The sum is <number>'],
  [
    'a Rust panic',
    "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds",
    'thread <text> panicked at <path>: index out of bounds',
  ],
  ['a compiler', 'main.c:3:1: warning: unused\nmain.c:4:9: error: expected ;', '<path>: error: expected ;'],
  ['words without an error', 'checking\nsum.txt holds another number\n', 'sum.txt holds another number'],
  ['a counter after the error', 'the file is missing\n1 failed, 3 passed in 0.12s', 'the file is missing'],
  ['a printed error object', 'the sum is wrong\n{\n  actual: 41,\n  expected: undefined,\n}', 'the sum is wrong'],
  ['colors', '\u001b[31mError: it broke\u001b[39m', 'Error: it broke'],
  [
    'the difference of two objects',
    'Expected values to be strictly deep-equal:\n+ actual - expected\n\n  [\n+   3\n-   4\n  ]',
    'Expected values to be strictly deep-equal: + <number>',
  ],
  ['a message whose values are not below it', 'Error: what is wrong:', 'Error: what is wrong:'],
])('the message is found in %s', (_, output, signature) => {
  expect(findMessage(output)?.signature).toBe(signature)
})

test('a message is also given with the values that its signature leaves out', () => {
  expect(findMessage(tap)?.message).toBe('Expected values to be strictly equal: 3 !== 4')
})

test('in output that tests share, a test has the message of its own line', () => {
  expect(findMessage(pytest, 'sum-task/test_file')?.signature).toBe('FileNotFoundError: out.txt')
  expect(findMessage(pytest, 'sum-task/test_sum')?.signature).toBe('AssertionError: the sum is <number>')
})

test.each(['', '\n\n', '====\n----', '3\n4', '\u001b[0m'])('%j has no message', (output) => {
  expect(findMessage(output)).toBeNull()
})

test('an example has the lines around the message as they were printed, and a limited size', () => {
  expect(findMessage(node)?.example).toContain('3 !== 4')
  const long = `${'before '.repeat(500)}\nError: it broke\n${'after '.repeat(5000)}`
  expect(findMessage(long)?.example.length).toBeLessThanOrEqual(1200)
})

test.each([
  ['one line of a megabyte', (share: number) => 'error '.repeat(170_000 * share)],
  ['a hundred thousand lines', (share: number) => 'Tests: 1\n'.repeat(100_000 * share)],
  ['counters that never end', (share: number) => `${'1 failed '.repeat(5000 * share)}\n`.repeat(20)],
  ['names of errors', (share: number) => `${'a.'.repeat(3000 * share)}Error\n`.repeat(40)],
  ['digits after a counter', (share: number) => `Test ${'1'.repeat(1900 * share)}\n`.repeat(400)],
  ['a frame without an end', (share: number) => `File "${'x, line '.repeat(300 * share)}\n`.repeat(100)],
])('%s is searched in time that grows with its length', async (_, outputOf) => {
  await expectLinear((share) => findMessage(outputOf(share), 'suite/test'), 1)
})
