import { expect, test } from 'vitest'

import type { TestReport } from '#contract/task-fields.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { withDoubts } from '#platform/engine/run-engine/captured-tests/doubts.ts'
import { maskNothing } from '#platform/inputs/secrets/masking/masker.ts'
import { readRewardReport } from './read-reward-report.ts'

const command: TestCapture = {
  name: 'verify',
  outcome: 'passed',
  exitCode: 0,
  durationMs: 20,
  stdoutTail: 'checking',
  stderrTail: 'a warning',
}

/** `files` are the texts by path; '' is stdout. Returns the captured tests of the report and its command. */
const read = async (
  files: Record<string, string>,
  report: Partial<TestReport> = {},
  { isOneOfSeveral = false, mask = (text: string) => text } = {},
) =>
  withDoubts(
    command,
    await readRewardReport(
      command,
      { format: 'reward', ...report },
      {
        organizationId: '',
        read: async (path = '') => (files[path] === undefined ? null : Buffer.from(files[path])),
        why: (error) => messageOf(error),
        isOneOfSeveral,
        masker: { secrets: [], text: mask },
      },
    ),
  )

const outcomes = (captures: readonly TestCapture[]) => captures.map(({ name, outcome }) => [name, outcome])
const scores = (captures: readonly TestCapture[]) => captures.flatMap(({ score }) => score ?? [])

const two = '{"correctness": 1, "performance": 0.75}'

test('each reward is a test that passes from 1 on, and a score of its value', async () => {
  const captures = await read({ '': two })
  expect(outcomes(captures)).toEqual([
    ['verify/correctness', 'passed'],
    ['verify/performance', 'failed'],
  ])
  expect(scores(captures)).toEqual([
    { name: 'correctness', value: 1, threshold: 1 },
    { name: 'performance', value: 0.75, threshold: 1 },
  ])
  expect(captures[0]).toMatchObject({ exitCode: 0, durationMs: 20, stdoutTail: '1, and 1 passes\nchecking' })
  expect(captures[1]?.stderrTail).toBe('0.75 is below 1, the least value that passes')
})

test('thresholds of the definition decide, for all rewards and by name', async () => {
  expect(outcomes(await read({ '': two }, { threshold: 0.75 })).map(([, outcome]) => outcome)).toEqual([
    'passed',
    'passed',
  ])
  const named = await read({ '': two }, { threshold: 2, thresholds: { performance: 0.5 } })
  expect(outcomes(named).map(([, outcome]) => outcome)).toEqual(['failed', 'passed'])
  expect(scores(named).map(({ threshold }) => threshold)).toEqual([2, 0.5])
})

test('an unknown value, and a reward with a threshold that is missing, are unresolved and no number', async () => {
  const captures = await read({ '': '{"speed": NaN}' }, { thresholds: { style: 0 } })
  expect(outcomes(captures)).toEqual([
    ['verify/speed', 'unresolved'],
    ['verify/style', 'unresolved'],
  ])
  expect(scores(captures).map(({ value }) => value)).toEqual([null, null])
  expect(captures[1]?.stderrTail).toBe('The report has no such reward')
})

test('a missing or unreadable report is errored with its reason and gives no score', async () => {
  for (const [files, reason] of [
    [{}, 'The reward report could not be read: the command wrote no out/reward.json\n\na warning'],
    [{ 'out/reward.json': 'oops' }, 'neither a number nor'],
  ] as const) {
    const captures = await read(files, { path: 'out/reward.json' })
    expect(outcomes(captures)).toEqual([['verify', 'errored']])
    expect(captures[0]?.stderrTail).toContain(reason)
    expect(scores(captures)).toEqual([])
  }
})

test('cases beside a reward are kept whatever the reward is, and when there is none', async () => {
  const ctrf = JSON.stringify({
    results: {
      tool: { name: 'any' },
      summary: { tests: 2, passed: 1, failed: 1, pending: 0, skipped: 0, other: 0 },
      tests: [
        { name: 'adds', status: 'passed', duration: 1 },
        { name: 'reward', status: 'failed', duration: 1 },
      ],
    },
  })
  const report: Partial<TestReport> = {
    cases: [
      { format: 'ctrf', path: 'ctrf.json' },
      { format: 'tap', path: 'tap' },
    ],
  }
  const cases = [
    ['verify/adds', 'passed'],
    ['verify/reward', 'failed'],
  ]
  expect(outcomes(await read({ '': '1', 'ctrf.json': ctrf }, report))).toEqual([
    ...cases,
    ['verify/reward #2', 'passed'],
  ])
  expect(outcomes(await read({ 'ctrf.json': ctrf }, report))).toEqual([...cases, ['verify', 'errored']])
  expect(outcomes(await read({ '': '1' }, report))).toEqual([['verify/reward', 'passed']])
  const empty = JSON.stringify({ results: { tool: { name: 'any' }, summary: { tests: 0 }, tests: [] } })
  expect(outcomes(await read({ '': '1', 'ctrf.json': empty }, report))).toEqual([['verify/reward', 'passed']])
  expect(outcomes(await read({ '': '1', 'ctrf.json': '{' }, report))).toEqual([
    ['verify/reward', 'passed'],
    ['verify', 'errored'],
  ])
})

test('a command that fails without a reason in its report is errored beside its rewards', async () => {
  const failing = { ...command, outcome: 'failed' as const, exitCode: 1 }
  const report = { format: 'reward' as const }
  const options = {
    organizationId: '',
    read: async () => Buffer.from('1'),
    why: String,
    isOneOfSeveral: false,
    masker: maskNothing,
  }
  const captures = withDoubts(failing, await readRewardReport(failing, report, options))
  expect(outcomes(captures)).toEqual([
    ['verify/reward', 'passed'],
    ['verify', 'errored'],
  ])
})

test('rewards whose names look the same are two scores', async () => {
  const captures = await read({ '': '{" a": 1, "a": 0, "a #2": 0.5}' })
  expect(scores(captures).map(({ name, value }) => [name, value])).toEqual([
    ['a', 1],
    ['a #2', 0],
    ['a #2 #2', 0.5],
  ])
})

test('rewards of several tests have the names of their tests', async () => {
  const captures = await read({ '': '0.5' }, {}, { isOneOfSeveral: true })
  expect(scores(captures).map(({ name }) => name)).toEqual(['verify/reward'])
})

test('at most 100 rewards are stored, with names of at most 200 characters and without secrets', async () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`r${index}`, 1]))
  const captures = await read({ '': JSON.stringify(many) })
  expect(scores(captures)).toHaveLength(100)
  expect(captures.at(-1)).toMatchObject({
    name: 'verify',
    outcome: 'errored',
    stderrTail: 'The report contains 150 rewards; only the first 100 are stored\n\na warning',
  })
  const mask = (text: string) => text.replaceAll('hunter2', '•••')
  const odd = await read({ '': JSON.stringify({ ['x'.repeat(500)]: 1, 'hunter2\0': 'hunter2', '': 2 }) }, {}, { mask })
  expect(scores(odd).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^x{99,100}…x{99,100}$/),
    '•••\uFFFD',
    '(no name)',
  ])
  expect(JSON.stringify(odd)).not.toContain('hunter2')
})
