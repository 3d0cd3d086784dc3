import { expect, test } from 'vitest'

import { expectLinear, measured } from '#tools/processor-time.ts'
import { createMasker, maskNothing } from '#platform/inputs/secrets/masking/masker.ts'
import { readReportApart } from './read-report-apart.ts'
import { readReport } from './read-report.ts'

const summary = async (...input: Parameters<typeof readReport>) =>
  (await readReport(...input)).captures.map(({ name, outcome, durationMs, stderrTail }) => [
    name,
    outcome,
    durationMs,
    stderrTail,
  ])

test('a JUnit report may nest suites, its outcomes are all read, and its names are unique', async () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite name="s">
    <testcase name="adds" classname="math" time="0.5"/>
    <testcase name="same" classname="a"><failure message="1 &lt; 2">at line 3</failure></testcase>
    <testcase name="same" classname="b"><skipped/></testcase>
    <testcase name="same" classname="b"><error message="boom"/></testcase>
    <testsuite><testcase name="42"><system-out>hi</system-out></testcase></testsuite>
  </testsuite></testsuites>`
  expect(await summary('suite', 'junit', xml)).toEqual([
    ['suite/math/adds', 'passed', 500, ''],
    ['suite/a/same', 'failed', null, '1 < 2\nat line 3'],
    ['suite/b/same #2', 'skipped', null, ''],
    ['suite/b/same', 'errored', null, 'boom'],
    ['suite/s/42', 'passed', null, ''],
  ])
})

test('a JUnit report with a document type, broken XML, other XML or an empty suite is rejected with a reason', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase name="&a;"/></testsuite>'
  await expect(readReport('t', 'junit', bomb)).rejects.toThrow('document type')
  await expect(readReport('t', 'junit', '<testsuite><testcase>')).rejects.toThrow(/line/)
  await expect(readReport('t', 'junit', '<html/>')).rejects.toThrow('not JUnit XML')
  await expect(readReport('t', 'junit', '<testsuite/>')).rejects.toThrow()
})

test.each(['junit', 'ctrf', 'tap'] as const)(
  'a large %s report is read in another process, and its secrets are masked',
  measured,
  async (format) => {
    const reports = {
      junit: `<testsuite>${'<testcase name="hunter2hunter2"/>'.repeat(30_000)}</testsuite>`,
      ctrf: `{"results":{"tests":[${Array(30_000).fill('{"name":"hunter2hunter2","status":"passed"}').join()}]}}`,
      tap: `1..30000\n${'ok hunter2hunter2\n'.repeat(30_000)}`,
    }
    const before = process.cpuUsage()
    const masker = createMasker([{ slug: 'door', value: 'hunter2hunter2' }])
    const { captures, problems } = await readReportApart(
      '',
      { testName: 't', format, report: Buffer.from(reports[format]) },
      masker,
    )
    const usedHere = process.cpuUsage(before).user
    expect(captures).toHaveLength(20_000)
    expect(captures[0]?.name).toContain('[secret:door]')
    expect(problems).toEqual(['The report contains 30000 test cases; only the first 20000 are stored'])
    await readReport('t', format, reports[format], masker.text)
    const usedToRead = process.cpuUsage(before).user - usedHere
    expect(usedHere).toBeLessThan(usedToRead)
  },
)

test('a large report that cannot be read is rejected with its reason', async () => {
  const report = Buffer.from(`<html>${' '.repeat(1_000_000)}</html>`)
  await expect(readReportApart('', { testName: 't', format: 'junit', report }, maskNothing)).rejects.toThrow(
    'not JUnit XML',
  )
})

test('CTRF statuses become outcomes, and durations stay in milliseconds', async () => {
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

test(
  'a CTRF report with a million invalid entries is rejected quickly and without filling the memory',
  measured,
  async () => {
    for (const entry of ['{}', '0']) {
      const reportOf = (entries: number) => `{"results":{"tests":[${Array(entries).fill(entry).join(',')}]}}`
      const reject = (report: string) =>
        expect(readReport('t', 'ctrf', report)).rejects.toThrow('its test 1 has no name')
      const report = reportOf(1_000_000)
      const before = process.memoryUsage().heapUsed
      await reject(report)
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024)
      await expectLinear((entries) => reject(reportOf(entries)), 1_000_000)
    }
  },
)

test('a TAP report may have subtests and skips, and a plan that does not match is reported', async () => {
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
    ['suite/group/inner', 'passed'],
    ['suite/group/broken', 'failed'],
    ['suite/later', 'skipped'],
  ])
  expect((await readReport('suite', 'tap', tap)).problems).toEqual(['The report plans 5 test points but contains 3'])
  expect(cases[2]?.[2]).toBe(4.5)
  await expect(readReport('t', 'tap', 'hello\n')).rejects.toThrow()
})

test('a TAP report with 9 MB of brackets, in a diagnostic or elsewhere, is read quickly and without a crash', async () => {
  const length = 9 * 1024 * 1024
  const brackets = '['.repeat(length)
  for (const indent of ['', '  ', '    ']) {
    const casesOf = (size: number) =>
      summary('t', 'tap', `1..2\nnot ok 1 - bad\n${indent}---\n${indent}${'['.repeat(size)}\n${indent}...\nok 2\n`)
    await expectLinear(casesOf, length)
    const cases = await casesOf(length)
    expect(cases.map(([name, outcome]) => [name, outcome])).toEqual([
      ['t/bad', 'failed'],
      ['t/test 2', 'passed'],
    ])
    expect(String(cases[0]?.[3]).length).toBe(indent === '' ? 0 : 16_000)
  }
  const unended = await summary('t', 'tap', `1..1\nnot ok 1\n  ---\n  ${brackets}`)
  expect(unended).toMatchObject([['t/test 1', 'failed', null, '['.repeat(16_000)]])
})

test('TAP diagnostics of blank lines and group names full of spaces are read quickly', async () => {
  await expectLinear(async (lines) => {
    const blank = `ok 1 - a\n  ---\n${'\n'.repeat(lines)}  x\n  ...\n`
    expect(await summary('t', 'tap', `${blank.repeat(100)}1..100\n`)).toHaveLength(100)
  }, 16_000)
  await expectLinear(async (points) => {
    const spaces = ' '.repeat(points * 4 - 100)
    const inner = '    ok 1 - inner\n'.repeat(points)
    const grouped = `# Subtest: x${spaces}y\n${inner}    1..${points}\nok 1 - x${spaces}y\n1..1\n`
    expect(await summary('t', 'tap', grouped)).toHaveLength(points + 1)
  }, 1000)
})

test('a TAP diagnostic keeps its text and belongs to its own test point', async () => {
  const tap = `TAP version 14
not ok 1 - first
  ---
  message: "it's {odd: [yes"
    at: line 3

  duration_ms: 12.5
  ...
# diagnostics 0
ok 2 - group # time=7ms {
    not ok 1 - inner
      ---
      why: inside
      ...
    1..1
}
not ok 3 - last
1..3
`
  const cases = await summary('s', 'tap', tap.replaceAll('\n', '\r\n'))
  expect(cases).toEqual([
    ['s/first', 'failed', 12.5, 'message: "it\'s {odd: [yes"\n  at: line 3'],
    ['s/group/inner', 'failed', null, 'why: inside'],
    ['s/group', 'passed', 7, ''],
    ['s/last', 'failed', null, ''],
  ])
})

test('the comments below a failed TAP test point explain it, those of other points do not', async () => {
  const perl = `1..3
# title of the first
ok 1 - fine
# not about a failure
not ok 2 - adds
#   Failed test 'adds'
#          got: '6'
#     expected: '4'
output of the next test
ok 3 - last
# Subtest: group
    not ok 1 - inner
    # (in test file a.bats, line 5)
      indented
    1..1
not ok 4 - group
#   Failed test 'group'
`
  expect(await summary('s', 'tap', perl.replace('1..3', '1..4'))).toEqual([
    ['s/fine', 'passed', null, ''],
    ['s/adds', 'failed', null, "Failed test 'adds'\n       got: '6'\n  expected: '4'"],
    ['s/last', 'passed', null, ''],
    ['s/group/inner', 'failed', null, '(in test file a.bats, line 5)\n  indented'],
  ])
})

test("the lines above a failed test point of Linux's tests explain it", async () => {
  const ktap = `KTAP version 1
1..1
    KTAP version 1
    # Subtest: example
    1..2
    # first: EXPECTATION FAILED at example.c:29
    Expected 1 + 1 == 3, but
    not ok 1 first
    # second: EXPECTATION FAILED at example.c:30
    not ok 2 second
not ok 1 example
`
  expect(await summary('s', 'tap', ktap)).toEqual([
    ['s/example/first', 'failed', null, 'first: EXPECTATION FAILED at example.c:29\nExpected 1 + 1 == 3, but'],
    ['s/example/second', 'failed', null, 'second: EXPECTATION FAILED at example.c:30'],
  ])
})

test('a TAP report with millions of lines is cut and one with deep subtests is rejected, each with a reason', async () => {
  const many = await readReport('t', 'tap', 'ok\n'.repeat(4_000_000))
  expect(many.captures).toHaveLength(20_000)
  expect(many.problems).toContain('The report is too long: only its start was read')
  const deep = Array.from({ length: 500 }, (_, depth) => `${'    '.repeat(depth)}# Subtest: x\n`).join('')
  await expect(readReport('t', 'tap', deep)).rejects.toThrow('nest deeper')
})

test('an impossible duration in a report is ignored', async () => {
  const times = ['-1', '1e308', 'NaN', 'Infinity', '1e18', '0']
  const cases = times.map((time, index) => `<testcase name="t${index}" time="${time}"/>`).join('')
  const junit = await summary('s', 'junit', `<testsuite>${cases}</testsuite>`)
  expect(junit.map((entry) => entry[2])).toEqual([null, null, null, null, null, 0])
  const tests = [-1, 1e308, 3].map((duration, index) => ({ name: `t${index}`, status: 'passed', duration }))
  const ctrf = await summary('s', 'ctrf', JSON.stringify({ results: { tests } }))
  expect(ctrf.map((entry) => entry[2])).toEqual([null, null, 3])
  const tap = await summary('s', 'tap', '1..1\nok 1\n  ---\n  duration_ms: 1e999\n  ...\n')
  expect(tap.map((entry) => entry[2])).toEqual([null])
})

test('a report with more than 20,000 cases is cut and says so', async () => {
  const tests = Array.from({ length: 20_005 }, (_, index) => ({ name: `t${index}`, status: 'passed' }))
  const { captures, problems } = await readReport('s', 'ctrf', JSON.stringify({ results: { tests } }))
  expect(captures).toHaveLength(20_000)
  expect(problems).toEqual(['The report contains 20005 test cases; only the first 20000 are stored'])
})

test('case names are shortened in the middle to 500 characters and stay unique', async () => {
  const long = (middle: string) => `begins ${middle.repeat(2000)} ends`
  const given = [long('x'), long('y'), long('x'), 'same', 'same', 'same #2', long('😀')]
  const tests = given.map((name) => ({ name, status: 'passed' }))
  const { captures } = await readReport('suite', 'ctrf', JSON.stringify({ results: { tests } }))
  const names = captures.map((capture) => capture.name)
  expect(new Set(names).size).toBe(given.length)
  expect(Math.max(...names.map((name) => name.length))).toBe(500)
  expect(names[0]).toMatch(/^suite\/begins x+…x+ ends$/)
  expect(names[2]).toMatch(/^suite\/begins x+…x+ ends #2$/)
  expect(names.slice(3, 6)).toEqual(['suite/same', 'suite/same #3', 'suite/same #2'])
  expect(names.every((name) => name.isWellFormed())).toBe(true)
})
