import { expectLinear } from '#tools/processor-time.ts'
import { expect, test } from 'vitest'

import { findAssertion } from './assertion.ts'

test('the assertion of a failed test of Node is found below its fields', () => {
  const tap = `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 1.4
  type: 'test'
  location: '/workspace/a.test.mjs:4:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:

    6 !== 4

  code: 'ERR_ASSERTION'
  expected: 4
  actual: 6
  ...
1..1
`
  expect(findAssertion('', tap)).toBe('Expected values to be strictly equal:\n6 !== 4')
  expect(findAssertion(`  error: 'not equal'\n  code: 'x'`)).toBe('not equal')
})

test('the assertions of pytest and of errors with a name are found', () => {
  const pytest =
    '    def test_a():\n>       assert add(2, 4) == 4\nE       assert 6 == 4\nE        +  where 6 = add(2, 4)\n\na.py:3: AssertionError'
  expect(findAssertion(pytest)).toBe('assert 6 == 4\n+  where 6 = add(2, 4)')
  expect(findAssertion('Traceback:\n  File "a.py", line 3\n\x1b[31mAssertionError: 6 != 4\x1b[0m\n')).toBe(
    'AssertionError: 6 != 4',
  )
  const java =
    'org.opentest4j.AssertionFailedError: expected: <4> but was: <6>\n\tat org.junit.Assert.fail(Assert.java:9)'
  expect(findAssertion(java)).toBe('org.opentest4j.AssertionFailedError: expected: <4> but was: <6>')
  expect(findAssertion('nothing', 'of the kind')).toBeNull()
})

test('finding an assertion in output of any shape takes linear time', async () => {
  for (const part of ['E  x', 'a.', 'Error', 'error: |-\n', ' ', '\x1b[', 'A::', "error: '"])
    await expectLinear((times) => findAssertion(part.repeat(times)), 500_000)
})

test('the sentence of a reward that is too low is its assertion', () => {
  expect(findAssertion('Error: of another step\n0.25 is below 0.5, the least value that passes', '')).toBe(
    '0.25 is below 0.5, the least value that passes',
  )
})
