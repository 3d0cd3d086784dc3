import { expect, test } from 'vitest'

import { readReport } from './read-report.ts'

const summary = async (...input: Parameters<typeof readReport>) =>
  (await readReport(...input)).map(({ name, outcome, durationMs, stderrTail }) => [
    name,
    outcome,
    durationMs,
    stderrTail,
  ])

test('JUnit: nested suites, every outcome, names made unique', async () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="s">
    <testcase name="adds" classname="math" time="0.5"/>
    <testcase name="same" classname="a"><failure message="1 &lt; 2">at line 3</failure></testcase>
    <testcase name="same" classname="b"><skipped/></testcase>
    <testcase name="same" classname="b"><error message="boom"/></testcase>
    <testsuite><testcase name="42"><system-out>hi</system-out></testcase></testsuite>
  </testsuite></testsuites>`
  expect(await summary('suite', 'junit', xml)).toEqual([
    ['suite/adds', 'passed', 500, ''],
    ['suite/a/same', 'failed', null, 'at line 3'],
    ['suite/b/same', 'skipped', null, ''],
    ['suite/b/same #2', 'errored', null, 'boom'],
    ['suite/42', 'passed', null, ''],
  ])
})

test('JUnit: a document type, broken XML, other XML and an empty suite are refused with a reason', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase name="&a;"/></testsuite>'
  await expect(readReport('t', 'junit', bomb)).rejects.toThrow('document type')
  await expect(readReport('t', 'junit', '<testsuite><testcase>')).rejects.toThrow(/line/)
  await expect(readReport('t', 'junit', '<html/>')).rejects.toThrow('not JUnit XML')
  await expect(readReport('t', 'junit', '<testsuite/>')).rejects.toThrow()
})

test('CTRF: statuses become outcomes, durations stay milliseconds', async () => {
  const tests = [
    { name: 'a', status: 'passed', duration: 12 },
    { name: 'b', status: 'failed', message: 'no', trace: 'at b' },
    { name: 'c', status: 'pending' },
    { name: 'd', status: 'other' },
  ]
  expect(await summary('suite', 'ctrf', JSON.stringify({ results: { tests } }))).toEqual([
    ['suite/a', 'passed', 12, ''],
    ['suite/b', 'failed', null, 'no\nat b'],
    ['suite/c', 'skipped', null, ''],
    ['suite/d', 'unresolved', null, ''],
  ])
  await expect(readReport('t', 'ctrf', '{"results": 1}')).rejects.toThrow('not a CTRF report')
  await expect(readReport('t', 'ctrf', 'nonsense')).rejects.toThrow()
})

test('TAP: subtests, skips, and a plan that was not kept', async () => {
  const tap = `TAP version 13
ok 1 - adds
# Subtest: group
    ok 1 - inner
    not ok 2 - broken
      ---
      duration_ms: 4.5
      ...
    1..2
not ok 2 - group
ok 3 - later # SKIP not now
1..5
`
  const cases = await summary('suite', 'tap', tap)
  expect(cases.map(([name, outcome]) => [name, outcome])).toEqual([
    ['suite/adds', 'passed'],
    ['suite/inner', 'passed'],
    ['suite/broken', 'failed'],
    ['suite/later', 'skipped'],
    ['suite/the report is complete', 'errored'],
  ])
  expect(cases[2]?.[2]).toBe(4.5)
  await expect(readReport('t', 'tap', 'hello\n')).rejects.toThrow()
})
