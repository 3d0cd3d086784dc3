import { afterAll, beforeAll, expect, test } from 'vitest'

import { isSolved } from '#contract/outcomes.ts'
import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()
const withSandbox = test.skipIf(!sandbox.status.available)

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())

type Reported = { script: string; format: string; report?: string; path?: string }

/** Runs one prompt per entry, each with one test `r`, and returns whether each run is solved and its tests. */
async function runReports(entries: Readonly<Record<string, Reported>>) {
  const prompts = Object.entries(entries).map(([id, { script, format, report, path }]) => ({
    id,
    text: 'x',
    tests: [
      {
        name: 'r',
        command: ['bash', '-c', script],
        ...(report !== undefined && { files: [{ dest: 'given', content: report }] }),
        report: { format, ...(path !== undefined && { path }) },
      },
    ],
  }))
  const definition = { id: 'reports', name: 'Reports', agents: [{ id: 'a', command: ['true'] }], prompts }
  const { requestId } = await submitTestRuns(bench.db, { definition })
  const engine = startRunEngine(bench.services, { sandbox, workFolder: `${bench.folder}/work`, slots: 2 })
  const runs = await untilEnded(bench.db, requestId, 200_000)
  await engine.stop()
  const results = runs.map(async (run) => {
    const captures = await listTestCaptures(bench.db, run.id)
    const counts = {
      passed: run.testsPassed,
      failed: run.testsFailed,
      unresolved: run.testsUnresolved,
      errored: run.testsErrored,
      skipped: run.testsSkipped,
    }
    return [run.prompt ?? '', { solved: isSolved(run, counts), captures }] as const
  })
  return Object.fromEntries(await Promise.all(results))
}

const passed = '<testsuite name="s" tests="1"><testcase classname="c" name="a"/></testsuite>'

withSandbox(
  'a report never overrules its process: each contradiction is an errored test of the command with its output',
  async () => {
    const junit = { format: 'junit', path: 'out.xml', report: passed }
    const results = await runReports({
      agrees: { ...junit, script: 'cp given out.xml' },
      'exit-1': { ...junit, script: 'cp given out.xml; echo said; echo why >&2; exit 1' },
      'exit-137': { ...junit, script: 'cp given out.xml; kill -9 $$' },
      segfault: { format: 'tap', script: `printf 'ok 1 - a\\n1..1\\n'; kill -SEGV $$` },
      short: { ...junit, script: 'cp given out.xml', report: passed.replace('tests="1"', 'tests="5"') },
      'failed-case': {
        ...junit,
        script: 'cp given out.xml; exit 1',
        report: passed.replace('/></', '><failure/></testcase></'),
      },
      'failed-and-killed': {
        ...junit,
        script: 'cp given out.xml; kill -9 $$',
        report: passed.replace('/></', '><failure/></testcase></'),
      },
      unreadable: { ...junit, script: 'cp given out.xml; exit 3', report: '<testsuite' },
      silent: { format: 'tap', script: 'exit 127' },
    })
    const seen = Object.fromEntries(
      Object.entries(results).map(([id, { solved, captures }]) => [
        id,
        [solved, ...captures.map(({ name, outcome, exitCode }) => `${name} ${outcome} ${exitCode}`)],
      ]),
    )
    expect(seen).toEqual({
      agrees: [true, 'r/c/a passed null'],
      'exit-1': [false, 'r/c/a passed null', 'r errored 1'],
      'exit-137': [false, 'r/c/a passed null', 'r errored 137'],
      segfault: [false, 'r/a passed null', 'r errored 139'],
      short: [false, 'r/c/a passed null', 'r errored 0'],
      'failed-case': [false, 'r/c/a failed null'],
      'failed-and-killed': [false, 'r/c/a failed null', 'r errored 137'],
      unreadable: [false, 'r errored 3'],
      silent: [false, 'r errored 127'],
    })
    const saidBy = (id: string) => results[id]?.captures.at(-1)
    expect(saidBy('exit-1')).toMatchObject({
      stdoutTail: 'said\n',
      stderrTail: 'The command ended with code 1, though no case failed\n\nwhy\n',
    })
    expect(saidBy('exit-137')?.stderrTail).toMatch(
      /^The command ended with code 137 \(signal 9, SIGKILL, killed: out of memory/,
    )
    expect(saidBy('segfault')?.stderrTail).toMatch(/^The command ended with code 139 \(signal 11, SIGSEGV/)
    expect(saidBy('short')?.stderrTail).toMatch(/^The suite "s" counts 5 tests, but contains 1 case/)
    expect(saidBy('failed-and-killed')?.stderrTail).toMatch(/^The command ended with code 137/)
    expect(saidBy('unreadable')?.stderrTail).toMatch(
      /^The command ended with code 3\nThe junit report out.xml could not be read: line 1/,
    )
    expect(saidBy('silent')?.stderrTail).toMatch(
      /^The command ended with code 127 \(command not found\)\nThe tap report could not be read/,
    )
  },
)

withSandbox('a report in UTF-16 that a command prints is read', async () => {
  const tap = `printf 'ok 1 - caf\\u00e9\\n1..1\\n' | iconv -t UTF-16`
  const { printed } = await runReports({ printed: { format: 'tap', script: `export LC_ALL=C.UTF-8; ${tap}` } })
  expect(printed?.captures.map(({ name, outcome }) => [name, outcome])).toEqual([['r/café', 'passed']])
})
