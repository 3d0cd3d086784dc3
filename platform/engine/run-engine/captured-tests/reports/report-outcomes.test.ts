import { expect, test } from 'vitest'

import type { ReportFormat } from '#contract/task-fields.ts'
import { readReport } from './read-report.ts'

const outcomes = async (format: ReportFormat, report: string) =>
  (await readReport('t', format, report)).captures.map(({ outcome }) => outcome)

const ofCase = async (attributes: string, body = '') =>
  (await outcomes('junit', `<testsuite><testcase name="n" ${attributes}>${body}</testcase></testsuite>`))[0]

test.each([
  ['status="run" result="completed"', '', 'passed'],
  ['status="notrun" result="suppressed"', '', 'skipped'],
  ['status="run" result="skipped"', '<skipped/>', 'skipped'],
  ['status="disabled"', '', 'skipped'],
  ['status="skipped"', '', 'skipped'],
  ['status="failed"', '', 'failed'],
  ['status="Failed"', '', 'failed'],
  ['status="broken"', '', 'errored'],
  ['result="Inconclusive"', '', 'unresolved'],
  ['result="Ignored" executed="False"', '', 'skipped'],
  ['executed="True" success="False"', '', 'failed'],
  ['skipped="1"', '', 'skipped'],
  ['skipped="0" status="passed"', '', 'passed'],
  ['status="timed out"', '', 'unresolved'],
  ['status="mystery"', '', 'unresolved'],
  ['status="passed"', '<failure/>', 'failed'],
  ['status="skipped"', '<error/>', 'errored'],
  ['', '<warning type="Warning">No tests found</warning>', 'unresolved'],
  ['', '<risky/>', 'unresolved'],
  ['', '<Skipped/>', 'skipped'],
  ['', '<skipped type="pytest.xfail" message="later"/>', 'skipped'],
  ['', '<failure message="[XPASS(strict)] later"/>', 'failed'],
  ['', '<skipped type="todo"/><failure/>', 'skipped'],
  ['', '<skipped type="pytest.xfail"/><error message="failed on teardown"/>', 'errored'],
  ['status="&#27;[32mpassed&#27;[0m"', '', 'passed'],
  ['', '<flakyFailure/>', 'passed'],
  ['', '<failure/><rerunFailure/>', 'failed'],
  ['', '<properties><property name="a" value="b"/></properties><system-out>ok</system-out>', 'passed'],
])('a JUnit case with %s %s is %s', async (attributes, body, outcome) => {
  expect(await ofCase(attributes, body)).toBe(outcome)
})

test('a CTRF status that nobody knows is unresolved, and a flaky test that passed is passed', async () => {
  const tests = ['passed', 'PASSED', 'failed', 'skipped', 'pending', 'other', 'mystery'].map((status) => ({
    name: status,
    status,
  }))
  const report = JSON.stringify({
    results: { tests: [...tests, { name: 'flaky', status: 'passed', flaky: true, retries: 2 }] },
  })
  expect(await outcomes('ctrf', report)).toEqual([
    'passed',
    'passed',
    'failed',
    'skipped',
    'skipped',
    'unresolved',
    'unresolved',
    'passed',
  ])
})

test('the colors of a CTRF status are no part of it, even if JSON escapes them', async () => {
  const tests = ['\x1b[32mpassed\x1b[0m', '\x1b[31mfailed\x1b[0m'].map((status) => ({ name: 'n', status }))
  expect(await outcomes('ctrf', JSON.stringify({ results: { tests } }))).toEqual(['passed', 'failed'])
})

test('the cases of collections in a collection are all read', async () => {
  const suite = '<testsuites><testsuite name="a"><testcase name="x"><failure/></testcase></testsuite></testsuites>'
  const report = `<testsuites>${suite}<testsuite name="b"><testcase name="y"/></testsuite></testsuites>`
  const { captures, problems } = await readReport('t', 'junit', report)
  const said = captures.map(({ name, outcome }) => `${name}: ${outcome}`)
  expect(said.toSorted()).toEqual(['t/a/x: failed', 't/b/y: passed'])
  expect(problems).toEqual([])
})

test('a TAP report that skips everything is one skipped test with its reason', async () => {
  const { captures, problems } = await readReport('needs a database', 'tap', '1..0 # SKIP no database\n')
  expect(captures).toMatchObject([{ name: 'needs a database', outcome: 'skipped', stderrTail: 'SKIP no database' }])
  expect(problems).toEqual([])
  await expect(readReport('t', 'tap', '1..0\n')).rejects.toThrow('no test')
})

test('TAP test points with SKIP or TODO never count as passed, nor does a subtest in which nothing ran', async () => {
  const tap = `ok 1 - a # SKIP later
ok 2 - b # TODO passes unexpectedly
not ok 3 - c # TODO fails as expected
# Subtest: d
    1..0 # SKIP no network
ok 4 - d
ok 5 - e
# Subtest: f
    1..0 # SKIP no network
ok 6 # skip no network
1..6
`
  const { captures } = await readReport('t', 'tap', tap)
  expect(captures.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
    't/a: skipped',
    't/b: skipped',
    't/c: skipped',
    't/d: skipped',
    't/e: passed',
    't/f: skipped',
  ])
})

test('a TAP subtest that fails although all its test points passed is a failed case', async () => {
  const tap = '# Subtest: g\n    ok 1 - a\n    1..1\nnot ok 1 - g\n1..1\n'
  expect(await outcomes('tap', tap)).toEqual(['passed', 'failed'])
})

test.each([
  ['ok 1 - a # XFAIL known', 'a', 'skipped'],
  ['not ok 1 - a # XFAIL known', 'a', 'skipped'],
  ['not ok 1 - a # TIMEOUT 45 seconds', 'a', 'failed'],
  ['ok 1 - a # TIMEOUT', 'a', 'unresolved'],
  ['ok 1 - a # ERROR no device', 'a', 'errored'],
  ['not ok 1 - a # exit=1', 'a', 'failed'],
  ['ok 1 - a # time=0.5', 'a', 'passed'],
  ['ok 1 - an # error page', 'an # error page', 'passed'],
  ['ok 1 - issue #12 # exit code', 'issue #12 # exit code', 'passed'],
  ['ok 1 -', 'test 1', 'passed'],
])('the name of a TAP test point ends before what a writer adds after a #: %s', async (line, name, outcome) => {
  const { captures, problems } = await readReport('t', 'tap', `1..1\n${line}\n`)
  expect(captures).toMatchObject([{ name: `t/${name}`, outcome }])
  expect(problems).toEqual([])
})

test('the columns of pg_regress are names and durations', async () => {
  const tap = 'ok 1         - setup                         405 ms\nnot ok 2     + a 3 ms b       30 ms\n1..2\n'
  expect((await readReport('t', 'tap', tap)).captures).toMatchObject([
    { name: 't/setup', outcome: 'passed', durationMs: 405 },
    { name: 't/+ a 3 ms b', outcome: 'failed', durationMs: 30 },
  ])
})

test('subtests may be indented by two spaces, as in KTAP, or by tabs', async () => {
  const ktap = `KTAP version 1
1..1
  KTAP version 1
  # Subtest: outer
  1..2
    KTAP version 1
    # Subtest: inner
    1..1
    # a: EXPECTATION FAILED
    not ok 1 a
  not ok 1 inner
  ok 2 b # SKIP no device
not ok 1 outer
`
  for (const tap of [ktap, ktap.replaceAll('  ', '\t')]) {
    const { captures, problems } = await readReport('t', 'tap', tap)
    expect(captures.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      't/outer > inner/a: failed',
      't/outer/b: skipped',
    ])
    expect(problems).toEqual([])
  }
})
