import { expect, test } from 'vitest'

import { readJunitApart } from './junit-apart.ts'
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

test('JUnit: megabytes of small elements are read beside everything else that goes on', async () => {
  const xml = `<testsuite>${'<testcase name="a"/>'.repeat(100_000)}</testsuite>`
  let maxPause = 0
  let last = performance.now()
  const timer = setInterval(() => {
    maxPause = Math.max(maxPause, performance.now() - last)
    last = performance.now()
  }, 5)
  const started = performance.now()
  const cases = await readJunitApart(xml)
  const took = performance.now() - started
  clearInterval(timer)
  expect(cases).toHaveLength(20_001)
  expect(cases.at(-1)?.stderr).toBe('The report holds 100000 test cases; only the first 20000 are kept')
  expect(maxPause).toBeLessThan(took / 2)
})

test('JUnit: what takes too long or too much memory, or is none, is refused with a reason', async () => {
  const xml = `<testsuite>${'<b/>'.repeat(1_000_000)}</testsuite>`
  await expect(readJunitApart(xml, { timeoutMs: 10 })).rejects.toThrow('takes too long')
  await expect(readJunitApart(xml, { memoryMb: 32 })).rejects.toThrow('too much memory')
  await expect(readReport('t', 'junit', `<html>${' '.repeat(1_000_000)}</html>`)).rejects.toThrow('not JUnit XML')
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

test('CTRF: a million entries that are no tests are refused quickly, and without filling the memory', async () => {
  for (const entry of ['{}', '0']) {
    const report = `{"results":{"tests":[${Array(1_000_000).fill(entry).join(',')}]}}`
    const before = process.memoryUsage().heapUsed
    const startedAt = performance.now()
    await expect(readReport('t', 'ctrf', report)).rejects.toThrow('not a CTRF report')
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024)
  }
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

test('TAP: 9 MB of brackets in a diagnostic, or anywhere else, neither stop the process nor take long', async () => {
  const brackets = '['.repeat(9 * 1024 * 1024)
  for (const indent of ['', '  ', '    ']) {
    const startedAt = performance.now()
    const cases = await summary(
      't',
      'tap',
      `1..2\nnot ok 1 - bad\n${indent}---\n${indent}${brackets}\n${indent}...\nok 2\n`,
    )
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(cases.map(([name, outcome]) => [name, outcome])).toEqual([
      ['t/bad', 'failed'],
      ['t/test 2', 'passed'],
    ])
    expect(String(cases[0]?.[3]).length).toBe(indent === '' ? 0 : 16_000)
  }
  const unended = await summary('t', 'tap', `1..1\nnot ok 1\n  ---\n  ${brackets}`)
  expect(unended).toMatchObject([['t/test 1', 'failed', null, '['.repeat(16_000)]])
})

test('TAP: diagnostics of blank lines and groups of spaces take no time', async () => {
  const blank = `ok 1 - a\n  ---\n${'\n'.repeat(16_000)}  x\n  ...\n`
  const spaces = ' '.repeat(3900)
  const inner = '    ok 1 - inner\n'.repeat(1000)
  const startedAt = performance.now()
  expect(await summary('t', 'tap', `${blank.repeat(100)}1..100\n`)).toHaveLength(100)
  const grouped = `# Subtest: x${spaces}y\n${inner}    1..1000\nok 1 - x${spaces}y\n1..1\n`
  expect(await summary('t', 'tap', grouped)).toHaveLength(1001)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

test('TAP: a diagnostic keeps its words and stays with its own test point', async () => {
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
    ['s/inner', 'failed', null, 'why: inside'],
    ['s/group', 'passed', 7, ''],
    ['s/last', 'failed', null, ''],
  ])
})

test('TAP: a report of millions of lines or of deep subtests is cut or refused with a reason', async () => {
  const many = await summary('t', 'tap', 'ok\n'.repeat(4_000_000))
  expect(many).toHaveLength(20_001)
  expect(many.at(-1)?.slice(0, 2)).toEqual(['t/the report is complete', 'errored'])
  const deep = Array.from({ length: 500 }, (_, depth) => `${'    '.repeat(depth)}# Subtest: x\n`).join('')
  await expect(readReport('t', 'tap', deep)).rejects.toThrow('nest deeper')
})

test('a time that cannot be is no time', async () => {
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

test('beyond 20,000 cases one errored case says how many there were', async () => {
  const tests = Array.from({ length: 20_005 }, (_, index) => ({ name: `t${index}`, status: 'passed' }))
  const captures = await readReport('s', 'ctrf', JSON.stringify({ results: { tests } }))
  expect(captures).toHaveLength(20_001)
  expect(captures.at(-1)).toMatchObject({
    name: 's/the report is complete',
    outcome: 'errored',
    stderrTail: 'The report holds 20005 test cases; only the first 20000 are kept',
  })
})

test('case names have at most 500 characters, lose their middle and stay unique', async () => {
  const long = (middle: string) => `begins ${middle.repeat(2000)} ends`
  const given = [long('x'), long('y'), long('x'), 'same', 'same', 'same #2', long('😀')]
  const tests = given.map((name) => ({ name, status: 'passed' }))
  const captures = await readReport('suite', 'ctrf', JSON.stringify({ results: { tests } }))
  const names = captures.map((capture) => capture.name)
  expect(new Set(names).size).toBe(given.length)
  expect(Math.max(...names.map((name) => name.length))).toBe(500)
  expect(names[0]).toMatch(/^suite\/begins x+…x+ ends$/)
  expect(names[2]).toMatch(/^suite\/begins x+…x+ ends #2$/)
  expect(names.slice(3, 6)).toEqual(['suite/same', 'suite/same #2', 'suite/same #2 #2'])
  expect(names.every((name) => name.isWellFormed())).toBe(true)
})
