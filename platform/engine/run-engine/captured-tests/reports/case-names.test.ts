import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { ReportFormat } from '#contract/task-fields.ts'
import { readReport } from './read-report.ts'

const outcomesByName = async (format: ReportFormat, report: string) =>
  Object.fromEntries((await readReport('r', format, report)).captures.map(({ name, outcome }) => [name, outcome]))

const junit = (...cases: string[]) => outcomesByName('junit', `<testsuite name="s">${cases.join('')}</testsuite>`)

test('the name of a case has its class, whatever else is in the report', async () => {
  const first = '<testcase classname="tests.test_a" name="test_ok"/>'
  const second = '<testcase classname="tests.test_b" name="test_ok"/>'
  expect(Object.keys(await junit(first, second))).toEqual(['r/tests.test_a/test_ok', 'r/tests.test_b/test_ok'])
  expect(Object.keys(await junit(first))).toEqual(['r/tests.test_a/test_ok'])
})

test('without a class the group is the suites or the file, and a class that repeats the name is left out', async () => {
  expect(
    Object.keys(
      await junit(
        '<testcase name="one"/>',
        '<testcase name="two" classname="test"/>',
        '<testcase name="three" classname="three"/>',
      ),
    ),
  ).toEqual(['r/s/one', 'r/s/two', 'r/three'])
  const ctrf = {
    results: {
      tests: [
        { name: 'a', status: 'passed', filePath: 'a.ts' },
        { name: 'b', status: 'passed', suite: ['x', 'y'], filePath: 'a.ts' },
      ],
    },
  }
  expect(Object.keys(await outcomesByName('ctrf', JSON.stringify(ctrf)))).toEqual(['r/a.ts/a', 'r/x > y/b'])
})

test('a case without a name has that of its group, and an unnamed test point that of its place', async () => {
  const junit = '<testsuite name="s"><testcase name="" classname="Foo"><failure/></testcase></testsuite>'
  expect((await readReport('t', 'junit', junit)).captures.map(({ name }) => name)).toEqual(['t/Foo'])
  const { captures } = await readReport('t', 'tap', '1..3\nok\nok - x\nnot ok\n')
  expect(captures.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
    't/test 1: passed',
    't/x: passed',
    't/test 3: failed',
  ])
})

test('the order of cases that a report does not distinguish never turns a pass into a failure', async () => {
  const passed = '<testcase classname="C" name="case"/>'
  const failed = '<testcase classname="C" name="case"><failure message="x"/></testcase>'
  const expected = { 'r/C/case': 'failed', 'r/C/case #2': 'passed' }
  expect(await junit(passed, failed)).toEqual(expected)
  expect(await junit(failed, passed)).toEqual(expected)
})

test('cases of one name in different files are distinguished by their files', async () => {
  const a = '<testcase classname="C" name="case" file="a.py" line="3"/>'
  const b = '<testcase classname="C" name="case" file="b.py" line="9"><failure/></testcase>'
  const expected = { 'r/C/case (a.py:3 · s)': 'passed', 'r/C/case (b.py:9 · s)': 'failed' }
  expect(await junit(a, b)).toEqual(expected)
  expect(await junit(b, a)).toEqual(expected)
})

test('cases of other names never change the number of a case', async () => {
  const same = '<testcase name="same"/>'
  expect(Object.keys(await junit(same, same, '<testcase name="same #2"/>')).sort()).toEqual([
    'r/s/same',
    'r/s/same #2',
    'r/s/same #3',
  ])
})

test('whatever the order of its cases, a report gives each name the same outcome', async () => {
  const entry = fc.record({
    name: fc.constantFrom('a', 'b', 'a #2', 'a (retry 1)', 'a in 12ms'),
    suite: fc.constantFrom('', 'g', 'h'),
    filePath: fc.constantFrom('', 'x.ts', 'y.ts'),
    status: fc.constantFrom('passed', 'failed', 'skipped', 'other'),
  })
  const permuted = fc
    .array(entry, { minLength: 1, maxLength: 8 })
    .chain((tests) => fc.tuple(fc.constant(tests), fc.shuffledSubarray(tests, { minLength: tests.length })))
  await fc.assert(
    fc.asyncProperty(permuted, async ([tests, shuffled]) => {
      const read = (list: object[]) => outcomesByName('ctrf', JSON.stringify({ results: { tests: list } }))
      const names = await read(tests)
      expect(Object.keys(names)).toHaveLength(tests.length)
      expect(await read(shuffled)).toEqual(names)
    }),
  )
})

test.each([
  ['adds in 12ms', 'adds'],
  ['adds in 1.5 sec', 'adds'],
  ['adds (3 ms)', 'adds'],
  ['adds [0.52s]', 'adds'],
  ['adds (retry 1)', 'adds'],
  ['adds (retry x2) (15ms)', 'adds'],
  ['adds (attempt 2/3)', 'adds'],
  ['adds [retry #1]', 'adds'],
  ['waits 12ms', 'waits 12ms'],
  ['adds (2)', 'adds (2)'],
  ['parses [10-20]', 'parses [10-20]'],
  ['in 12ms', 'in 12ms'],
])('a TAP test point "%s" has the name "%s"', async (printed, name) => {
  expect(Object.keys(await outcomesByName('tap', `1..1\nok 1 ${printed}\n`))).toEqual([`r/${name}`])
})

test('a duration in a name is the duration of a case without one, and part of the title of a case with one', async () => {
  const { captures } = await readReport('r', 'tap', '1..1\nok 1 adds in 12ms\n')
  expect(captures[0]?.durationMs).toBe(12)
  expect(Object.keys(await junit('<testcase classname="C" name="ends in 100ms" time="0.1"/>'))).toEqual([
    'r/C/ends in 100ms',
  ])
})
