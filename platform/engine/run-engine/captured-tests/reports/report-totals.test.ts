import { describe, expect, test } from 'vitest'

import type { ReportFormat } from '#contract/task-fields.ts'
import { readReport } from './read-report.ts'

const problemsOf = async (format: ReportFormat, report: string) => (await readReport('t', format, report)).problems
const junit = (xml: string) => problemsOf('junit', xml)

const cases = (...list: string[]) =>
  list.map((body, index) => `<testcase classname="c" name="n${index}">${body}</testcase>`).join('')

describe('totals of JUnit reports that contradict the cases are problems', () => {
  test.each([
    [
      'fewer cases than announced',
      `<testsuite name="s" tests="5">${cases('', '')}</testsuite>`,
      'The suite "s" counts 5 tests, but contains 2 cases',
    ],
    [
      'more passed cases than announced',
      `<testsuite name="s" tests="1">${cases('', '')}</testsuite>`,
      'The suite "s" counts 1 test, but contains 2 cases',
    ],
    [
      'failures without a failed case',
      `<testsuite name="s" failures="2">${cases('')}</testsuite>`,
      'The suite "s" counts 2 failures, but 0 of its cases failed',
    ],
    [
      'errors of a suite without cases',
      `<testsuites><testsuite name="a">${cases('')}</testsuite><testsuite name="b" errors="1" tests="0"/></testsuites>`,
      'The suite "b" counts 1 failure, but 0 of its cases failed',
    ],
    [
      'errors of all suites',
      `<testsuites errors="1"><testsuite name="a">${cases('')}</testsuite></testsuites>`,
      'The report counts 1 failure, but 0 of its cases failed',
    ],
    [
      'a nested suite that is short',
      `<testsuites><testsuite name="a" tests="4"><testsuite name="b" tests="3">${cases('')}</testsuite></testsuite></testsuites>`,
      'The suite "b" counts 3 tests, but contains 1 case',
    ],
    [
      'skipped tests among the passed ones',
      `<testsuite name="s" tests="2" skipped="1">${cases('', '')}</testsuite>`,
      'The suite "s" counts 1 skipped test, but 0 of its cases were skipped',
    ],
    [
      'a total with separators of thousands',
      `<testsuite name="s" tests="1,024">${cases('')}</testsuite>`,
      'The suite "s" counts 1024 tests, but contains 1 case',
    ],
    [
      'a whole number of thousands',
      `<testsuite name="s" tests="2,000">${cases('')}</testsuite>`,
      'The suite "s" counts 2000 tests, but contains 1 case',
    ],
    [
      'a total of more digits than a number can tell apart',
      `<testsuite name="s" tests="${'9'.repeat(20)}">${cases('')}</testsuite>`,
      'The suite "s" counts 100000000000000000000 tests, but contains 1 case',
    ],
    [
      'cases where no writer puts them',
      `<testsuite name="s">${cases(cases('<failure/>'), '')}</testsuite>`,
      '1 test case is not in a suite, and could not be read',
    ],
    [
      'an error of the suite itself',
      `<testsuite name="s">${cases('')}<error message="build failed"/><system-err>boom</system-err></testsuite>`,
      'The suite "s" failed: build failed\nboom',
    ],
    [
      'a failure of all suites',
      `<testsuites><failure>no hook</failure><testsuite name="s">${cases('')}</testsuite></testsuites>`,
      'The report failed: no hook',
    ],
  ])('%s', async (_, xml, problem) => {
    expect(await junit(xml)).toContain(problem)
  })
})

describe('correct reports whose totals differ from their cases have no problems', () => {
  test.each([
    [
      'Surefire counts every attempt of a test that it repeats',
      `<testsuite name="s" tests="6" failures="6">${cases(`<failure/>${'<rerunFailure/>'.repeat(5)}`)}</testsuite>`,
    ],
    [
      'Surefire counts a flaky attempt',
      `<testsuite name="s" tests="2" failures="0" flakes="1">${cases('<flakyFailure message="x"><stackTrace>at</stackTrace></flakyFailure>')}</testsuite>`,
    ],
    [
      'pytest writes a failed test with a failed teardown twice',
      `<testsuites><testsuite name="pytest" tests="1" failures="1" errors="1">${cases('<failure/>', '<error/>')}</testsuite></testsuites>`,
    ],
    [
      'pytest counts a failed teardown as a test more',
      `<testsuites><testsuite name="pytest" tests="2" errors="1">${cases('<error message="failed on teardown"/>')}</testsuite></testsuites>`,
    ],
    [
      'pytest counts skipped and expected failures',
      `<testsuites><testsuite name="pytest" tests="3" skipped="2">${cases('', '<skipped type="pytest.skip"/>', '<skipped type="pytest.xfail"/>')}</testsuite></testsuites>`,
    ],
    [
      'mocha leaves skipped tests out',
      `<testsuites tests="3" failures="0" skipped="1"><testsuite name="s" tests="2">${cases('', '')}</testsuite></testsuites>`,
    ],
    [
      'mocha counts no failed hook',
      `<testsuites tests="1" failures="1"><testsuite name="s" tests="1" failures="1">${cases('', '<failure/>')}</testsuite></testsuites>`,
    ],
    [
      'mocha calls failures errors',
      `<testsuite name="Mocha Tests" tests="2" failures="0" errors="1" skipped="0">${cases('', '<failure/>')}</testsuite>`,
    ],
    [
      'Node counts nested suites as tests',
      `<testsuites><testsuite name="a" tests="2" failures="0" skipped="0"><testcase name="x" classname="test"/><testsuite name="b" tests="2">${cases('', '')}</testsuite></testsuite></testsuites>`,
    ],
    [
      'PHPUnit counts the tests of nested suites',
      `<testsuites><testsuite name="all" tests="2"><testsuite name="A" tests="2" assertions="9">${cases('', '')}</testsuite></testsuite></testsuites>`,
    ],
    [
      'GoogleTest counts disabled tests',
      `<testsuites tests="2" disabled="1"><testsuite name="M" tests="2" disabled="1" skipped="0"><testcase name="a" status="run" result="completed"/><testcase name="b" status="notrun" result="suppressed"/></testsuite></testsuites>`,
    ],
    [
      'nextest calls skipped tests disabled',
      `<testsuites tests="2"><testsuite name="s" tests="2" disabled="1">${cases('', '<skipped/>')}</testsuite></testsuites>`,
    ],
    [
      'Catch2 counts assertions',
      `<testsuites><testsuite name="x" errors="0" failures="2" tests="40" hostname="tbd">${cases('', '<failure/><failure/>')}</testsuite></testsuites>`,
    ],
    [
      'doctest counts assertions',
      `<testsuites><testsuite name="x" tests="12" errors="0" failures="0" doctest_version="2.4.11">${cases('')}</testsuite></testsuites>`,
    ],
    [
      'totals may be missing or no numbers',
      `<testsuites tests="" failures="NaN"><testsuite name="s" tests="many">${cases('')}</testsuite></testsuites>`,
    ],
  ])('%s', async (_, xml) => {
    expect(await junit(xml)).toEqual([])
  })
})

describe('summaries of CTRF reports', () => {
  const ctrf = (summary: object, ...statuses: string[]) =>
    problemsOf(
      'ctrf',
      JSON.stringify({ results: { summary, tests: statuses.map((status, index) => ({ name: `n${index}`, status })) } }),
    )

  test('a summary that counts what the tests do not show is a problem', async () => {
    expect(await ctrf({ tests: 3, passed: 1, failed: 2 }, 'passed')).toEqual([
      'The summary counts 3 tests, but the report contains 1',
      'The summary counts 2 failed tests, but the report contains 0',
    ])
    expect(await ctrf({ tests: 2, passed: 1, other: 1 }, 'passed', 'passed')).toEqual([
      'The summary counts 1 passed tests, but the report contains 2',
      'The summary counts 1 skipped, pending and other tests, but the report contains 0',
    ])
  })

  test('totals may be texts, with separators of thousands', async () => {
    expect(await ctrf({ tests: '1,001', passed: '1.0' }, 'passed')).toEqual([
      'The summary counts 1001 tests, but the report contains 1',
    ])
  })

  test('a summary that agrees, or is missing, is no problem', async () => {
    expect(
      await ctrf(
        { tests: 4, passed: 1, failed: 1, skipped: 0, pending: 1, other: 1 },
        'passed',
        'failed',
        'pending',
        'other',
      ),
    ).toEqual([])
    expect(await ctrf({}, 'passed')).toEqual([])
  })
})

describe('plans of TAP reports', () => {
  const tap = (...lines: string[]) => problemsOf('tap', `${lines.join('\n')}\n`)

  test('a plan of any level that is not fulfilled is a problem', async () => {
    expect(await tap('1..3', 'ok 1 - a')).toEqual(['The report plans 3 test points but contains 1'])
    expect(await tap('ok 1 - a')).toEqual(['The report has no plan: its writer may have stopped early'])
    expect(await tap('1..2', 'ok 1 - a', 'Bail out! no database')).toEqual(['Bail out! no database'])
    expect(await tap('# Subtest: g', '    ok 1 - a', '    1..2', 'ok 1 - g', '1..1')).toEqual([
      'The subtest "g" plans 2 test points but contains 1',
    ])
  })

  test('test points after the plan, a second plan and repeated numbers are problems', async () => {
    expect(await tap('ok 1 - a', '1..1', 'not ok 2 - b')).toEqual(['The report continues after its plan: not ok 2 - b'])
    expect(await tap('1..1', 'ok 1 - a', '1..1')).toEqual(['The report continues after its plan: 1..1'])
    expect(await tap('1..2', 'ok 1 - a', 'ok 1 - b')).toEqual([
      'The report is misnumbered: test point id 1 appears multiple times',
    ])
  })

  test('a report of Node with subtests has no problems', async () => {
    const lines = ['TAP version 13', '# Subtest: math', '    # Subtest: adds', '    ok 1 - adds', '      ---']
    lines.push('      duration_ms: 0.4', "      type: 'test'", '      ...', '    1..1', 'ok 1 - math', '  ---')
    lines.push("  type: 'suite'", '  ...', '1..1', '# tests 1', '# pass 1')
    expect(await tap(...lines)).toEqual([])
  })
})
