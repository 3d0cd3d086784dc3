import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, describe, expect, test } from 'vitest'

const hasPython = spawnSync('python3', ['--version']).status === 0
const judge = fileURLToPath(new URL('swe-bench-judge.py', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-judge-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

type Task = { parser: string; FAIL_TO_PASS: string[]; PASS_TO_PASS: string[] }

/** The reward, and each test with its status. */
function judged(task: Task, output: string) {
  const [tests, printed] = [join(folder, 'tests.json'), join(folder, 'output.txt')]
  writeFileSync(tests, JSON.stringify(task))
  writeFileSync(printed, output)
  execFileSync('python3', [judge, tests, printed, folder])
  const report = JSON.parse(readFileSync(join(folder, 'ctrf.json'), 'utf8'))
  const statuses = report.results.tests.map((each: { name: string; status: string }) => [each.name, each.status])
  return [readFileSync(join(folder, 'reward.txt'), 'utf8').trim(), Object.fromEntries(statuses)]
}

describe.skipIf(!hasPython)(`what the tests of SWE-bench print (${hasPython ? 'available' : 'no python3'})`, () => {
  const pytest = {
    parser: 'pytest',
    FAIL_TO_PASS: ['a.py::test_new[x y]'],
    PASS_TO_PASS: ['a.py::test_old', 'a.py::test_off'],
  }
  const output = `PASSED a.py::test_new[x y]
\u001b[32mPASSED\u001b[0m a.py::test_old
SKIPPED a.py::test_off
SKIPPED [1] b.py:3: not here
FAILED b.py::test_other - AssertionError: a - b`

  test('pytest solves with every test that has to pass, and one that is skipped only if it passed before', () => {
    expect(judged(pytest, output)).toEqual([
      '1',
      { 'a.py::test_new[x y]': 'passed', 'a.py::test_old': 'passed', 'a.py::test_off': 'passed' },
    ])
    const skipped = { ...pytest, FAIL_TO_PASS: ['a.py::test_off'], PASS_TO_PASS: [] }
    expect(judged(skipped, output)).toEqual(['0', { 'a.py::test_off': 'failed' }])
  })

  test('a test that failed or did not run is not solved, and an older pytest has the word at the end', () => {
    expect(judged(pytest, output.replace('PASSED a.py::test_new', 'FAILED a.py::test_new'))[0]).toBe('0')
    expect(judged(pytest, 'PASSED a.py::test_old')[0]).toBe('0')
    expect(judged(pytest, 'a.py::test_new[x y] PASSED\na.py::test_old PASSED\na.py::test_off PASSED')[0]).toBe('1')
    expect(judged(pytest, '')).toEqual([
      '0',
      { 'a.py::test_new[x y]': 'failed', 'a.py::test_old': 'failed', 'a.py::test_off': 'failed' },
    ])
  })

  test('a published name that is cut within its parameters counts if all that it can be agree', () => {
    const cut = { parser: 'pytest', FAIL_TO_PASS: ['a.py::test_it[log(x'], PASS_TO_PASS: [] }
    expect(judged(cut, 'PASSED a.py::test_it[log(x, 1)]\nPASSED a.py::test_it[log(x, 2)]')[0]).toBe('1')
    expect(judged(cut, 'PASSED a.py::test_it[log(x, 1)]\nFAILED a.py::test_it[log(x, 2)]')[0]).toBe('0')
  })

  test('only what stands between the marks of an own script counts', () => {
    const marked = `PASSED a.py::test_new[x y]
+ : '>>>>> Start Test Output'
>>>>> Start Test Output
PASSED a.py::test_old
PASSED a.py::test_off
>>>>> End Test Output`
    expect(judged(pytest, marked)[0]).toBe('0')
  })

  test('Django names a test or what it says of itself, and can print before its end', () => {
    const django = {
      parser: 'django',
      FAIL_TO_PASS: ['test_new (a.Case)', 'It also works.'],
      PASS_TO_PASS: ['test_loud (a.Case)', 'test_off (a.Case)'],
    }
    const lines = `test_new (a.Case) ... ok
test_said (a.Case)
It also works. ... ok
test_loud (a.Case) ... Testing against Django installed in /x
System check identified no issues (0 silenced).
ok
test_off (a.Case) ... skipped 'no database'`
    expect(judged(django, lines)[0]).toBe('1')
    expect(judged(django, lines.replace('test_new (a.Case) ... ok', 'test_new (a.Case) ... FAIL'))[0]).toBe('0')
    expect(judged(django, `${lines}\nERROR: test_loud (a.Case)\n`)[0]).toBe('0')
    expect(judged(django, lines.replace('\nok\n', '\nokay, it goes on\n'))[0]).toBe('0')
  })

  test('SymPy has a letter for each end', () => {
    const sympy = { parser: 'sympy', FAIL_TO_PASS: ['test_new'], PASS_TO_PASS: ['test_old'] }
    expect(judged(sympy, 'test_new ok\ntest_old ok')[0]).toBe('1')
    expect(judged(sympy, 'test_new F\ntest_old ok')[0]).toBe('0')
    expect(judged(sympy, 'test_new ok\ntest_old ok\n___ sympy/tests/a.py:test_old ___')[0]).toBe('0')
  })
})
