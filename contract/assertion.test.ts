import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
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

test.each([
  ['go test', '    add_test.go:12: Add(2, 3) = 6; want 5\n--- FAIL: TestAdd (0.00s)', 'Add(2, 3) = 6; want 5'],
  [
    'testify',
    '    s_test.go:9: \n        \tError Trace:\t/w/s_test.go:9\n        \tError:      \tNot equal: \n        \t  expected: 5\n        \t  actual  : 6\n        \tTest:       \tTestSum',
    'Not equal:\nexpected: 5\nactual  : 6',
  ],
  [
    'cargo test',
    "thread 'tests::adds' (7) panicked at src/lib.rs:11:9:\nassertion `left == right` failed\n  left: 6\n right: 4\nnote: run with",
    'assertion `left == right` failed\nleft: 6\nright: 4',
  ],
  ['an older cargo test', "thread 'main' panicked at 'no way', src/lib.rs:2:5", 'no way'],
  [
    'Jest',
    '  ● adds\n\n    expect(received).toBe(expected)\n\n    Expected: 4\n    Received: 6\n\n    > 2 |   expect(6).toBe(4)',
    'expect(received).toBe(expected)\nExpected: 4\nReceived: 6',
  ],
  [
    'PHPUnit',
    '1) SumTest::testAdds\nFailed asserting that 6 matches expected 4.\n\n/w/SumTest.php:9',
    'Failed asserting that 6 matches expected 4.',
  ],
  [
    'Bats',
    "not ok 2 adds\n# (in test file a.bats, line 7)\n#   `[ 6 -eq 4 ]' failed\n# expected : 4",
    "`[ 6 -eq 4 ]' failed\nexpected : 4",
  ],
  [
    'Bats in a report',
    "(in test file a.bats, line 7)\n`assert_equal 6 4' failed\n\n-- values do not equal --\nexpected : 4\nactual   : 6",
    "`assert_equal 6 4' failed\n-- values do not equal --\nexpected : 4\nactual   : 6",
  ],
  [
    'Test::More',
    "#   Failed test 'adds'\n#   at a.t line 3.\n#          got: '6'\n# Looks like you failed 1",
    "Failed test 'adds'\nat a.t line 3.\ngot: '6'",
  ],
  [
    'GoogleTest',
    '/w/s_test.cc:7: Failure\nExpected equality of these values:\n  add(2, 4)\n    Which is: 6\n  4\n\n[  FAILED  ] Sum.Adds',
    'Expected equality of these values:\nadd(2, 4)\nWhich is: 6\n4',
  ],
  [
    'Catch2',
    '/w/t.cpp:5: FAILED:\n  REQUIRE( a == 4 )\nwith expansion:\n  6 == 4\n\n=====',
    'REQUIRE( a == 4 )\nwith expansion:\n6 == 4',
  ],
  [
    'RSpec',
    '     Failure/Error: expect(6).to eq(4)\n\n       expected: 4\n            got: 6\n     # ./s.rb:3',
    'expect(6).to eq(4)\nexpected: 4\ngot: 6',
  ],
  [
    'Minitest',
    '  1) Failure:\nTestSum#test_adds [s.rb:5]:\nExpected: 4\n  Actual: 6\n\n2 runs',
    'Expected: 4\nActual: 6',
  ],
  [
    'ExUnit',
    '  1) test adds (SumTest)\n     a.exs:4\n     code:  assert 6 == 4\n     stacktrace:',
    'code:  assert 6 == 4',
  ],
  ['.NET', '  Error Message:\n   Values differ\nExpected: 4\n  Stack Trace:\n     at X', 'Values differ\nExpected: 4'],
  ['CTest', '1/2 Test #1: adds ....***Failed    0.00 sec\n6 != 4\n    Start 2: works', '6 != 4'],
  ['unittest', 'AssertionError: 6 != 4\n\n----------------\nRan 2 tests', 'AssertionError: 6 != 4'],
  [
    'Bun',
    'error: expect(received).toBe(expected)\n\nExpected: 4\n\n      at /w/a.ts:2:13',
    'error: expect(received).toBe(expected)\nExpected: 4',
  ],
])('the assertion of %s is found', (_, printed, assertion) => {
  expect(findAssertion('', printed)).toBe(assertion)
})

test('an error of a compiler or a panic is found where no assertion is, on either stream', () => {
  const rust = 'error[E0425]: cannot find value `y`\n --> src/lib.rs:2:5\n  |'
  expect(findAssertion(`${rust}\nerror: could not compile`, '')).toBe(
    'error[E0425]: cannot find value `y`\n--> src/lib.rs:2:5',
  )
  expect(findAssertion('a.c:3:1: error: expected ‘;’', '')).toBe('error: expected ‘;’')
  expect(findAssertion('a.ts(3,4): error TS2322: no', '')).toBe('error TS2322: no')
  expect(findAssertion('panic: no map\n\ngoroutine 6 [running]:', '')).toBe('panic: no map')
  const cargo = "thread 't' panicked at src/lib.rs:1:2:\nno\n"
  expect(findAssertion('error: something else', cargo)).toBe('no')
})

const hostile = [
  'E  x',
  'a.',
  'Error',
  'error: |-\n',
  ' ',
  '\x1b[',
  'A::',
  "error: '",
  ':1',
  '1) a::',
  '# `',
  ': 1: \n',
]

test('finding an assertion in output of any shape takes linear time', async () => {
  for (const part of [...hostile, "thread '' panicked at ''\n"])
    await expectLinear((times) => findAssertion(part.repeat(times)), 500_000)
})

test('the sentence of a reward that is too low is its assertion', () => {
  expect(findAssertion('Error: of another step\n0.25 is below 0.5, the least value that passes', '')).toBe(
    '0.25 is below 0.5, the least value that passes',
  )
})
