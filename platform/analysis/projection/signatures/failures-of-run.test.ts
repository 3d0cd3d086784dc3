import { expect, test } from 'vitest'

import { type EndedRun, type FailedTest, failureOfTest, failureOfTool, failuresOfEnding } from './failures-of-run.ts'

const run = (facts: Partial<EndedRun> = {}): EndedRun => ({
  status: 'completed',
  statusReason: null,
  timeLimitHit: false,
  agentExitCode: 0,
  testsPassed: 1,
  testsFailed: 1,
  testsUnresolved: 0,
  testsErrored: 0,
  testsSkipped: 0,
  ...facts,
})

const failed = (facts: Partial<FailedTest> = {}): FailedTest => ({
  ordinal: 4,
  name: 'suite/refuses IIII',
  outcome: 'failed',
  exitCode: 1,
  stdoutTail: '',
  stderrTail: '',
  ...facts,
})

const solved = { testsPassed: 2, testsFailed: 0 }
const untested = { testsPassed: 0, testsFailed: 0 }

test('a failed test has the message on stderr, else on stdout, else its exit code, else its name', () => {
  const kinds = [
    failed({ stderrTail: 'Error: no', stdoutTail: 'Error: other' }),
    failed({ stdoutTail: 'Error: other' }),
    failed(),
    failed({ exitCode: null }),
  ].map((one) => failureOfTest(run(), one))
  expect(kinds).toMatchObject([
    { kind: 'message', signature: 'Error: no', testName: 'suite/refuses IIII', place: 7 },
    { kind: 'message', signature: 'Error: other' },
    { kind: 'exit_code', signature: 'suite/refuses IIII: exit code 1' },
    { kind: 'test', signature: 'suite/refuses IIII' },
  ])
})

test('tests that passed, were skipped, or were canceled with their run are no failures', () => {
  expect(failureOfTest(run(), failed({ outcome: 'passed' }))).toBeNull()
  expect(failureOfTest(run(), failed({ outcome: 'skipped' }))).toBeNull()
  expect(failureOfTest(run({ status: 'canceled' }), failed())).toBeNull()
})

test('a test that never ran has the cause of its run', () => {
  const never = failed({ outcome: 'unresolved', exitCode: null })
  const timedOut = run({ status: 'errored', timeLimitHit: true, statusReason: 'Time limit of 60 s reached' })
  const broken = run({
    status: 'errored',
    statusReason: 'The image node:99 could not be pulled',
    infrastructureCause: 'image_pull',
  })
  expect(failureOfTest(timedOut, never)).toMatchObject({ kind: 'timeout', signature: 'Time limit of the run reached' })
  expect(failureOfTest(broken, never)).toMatchObject({ kind: 'infrastructure' })
  expect(failureOfTest(run({ statusReason: 'The tests timed out' }), never)).toMatchObject({ kind: 'timeout' })
  expect(failureOfTest(run(), never)).toMatchObject({ kind: 'test' })
})

test('a test that timed out is a time-out, whatever it printed before', () => {
  const stderrTail = 'Error: retrying\nThe test timed out after 60 s'
  expect(failureOfTest(run(), failed({ outcome: 'unresolved', stderrTail }))).toMatchObject({
    kind: 'timeout',
    signature: 'The test timed out',
  })
})

test('the end of a run is a failure if its time was up, it errored, or its agent exited with a code', () => {
  const ends = (facts: Partial<EndedRun>) =>
    failuresOfEnding(run(facts)).map(({ kind, signature }) => [kind, signature])
  expect(ends({ timeLimitHit: true, status: 'errored' })).toEqual([['timeout', 'Time limit of the run reached']])
  const full = { status: 'errored', statusReason: 'Out of disk: 12 MB left', infrastructureCause: 'disk_full' } as const
  expect(ends({ ...full, ...untested })).toEqual([['infrastructure', 'Out of disk: <number> MB left']])
  expect(ends({ status: 'errored', ...untested })).toEqual([['run_error', 'The run errored without a reason']])
  expect(ends({ agentExitCode: 137, ...untested })).toEqual([['agent_exit', 'Agent exited with code 137']])
})

test('a run that solved its task, and a canceled one, did not fail', () => {
  expect(failuresOfEnding(run({ ...solved, timeLimitHit: true, agentExitCode: 1 }))).toEqual([])
  expect(failuresOfEnding(run({ status: 'canceled', agentExitCode: 143 }))).toEqual([])
  expect(failureOfTool(run(solved), { seq: 3, text: 'Error: no' })).toBeNull()
})

test('the last tool error of a run that failed has its tool and its turn', () => {
  expect(failureOfTool(run(), { seq: 31, tool: 'bash', text: 'bash: jq: command not found' })).toMatchObject({
    kind: 'tool_error',
    signature: 'bash: bash: jq: command not found',
    turn: 31,
    testName: null,
  })
  expect(failureOfTool(run(), { seq: 31, text: '' })).toMatchObject({ signature: 'failed without a message' })
  expect(failureOfTool(run(), null)).toBeNull()
})
