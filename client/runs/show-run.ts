import { isSolved } from '#contract/outcomes.ts'
import { getRun, type RunDetail, type RunRequest } from '#contract/runs.ts'
import { runStatuses } from '#contract/run-status.ts'
import { type CapturedTest, listTests } from '#contract/tests.ts'
import { counted } from '#contract/wire/counted.ts'
import { table } from '#client/terminal/table.ts'
import type { Verb } from '#client/work.ts'
import { milliseconds, seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { percent } from '#src/format/numbers.ts'

const shownTail = 2000

export const showRun =
  (id: string): Verb =>
  async ({ api, show }) => {
    const caller = await api()
    const { run, runRequest } = await caller.call(getRun, { id })
    if (runRequest) return show({ runRequest }, describeRequest(runRequest))
    const { tests } = await caller.call(listTests, { id })
    if (run) show({ run, tests }, describeRun(run, tests))
  }

export function describeRequest(request: RunRequest) {
  const { statusCounts, solved, outcomes, testAwareCount } = request
  const counts = runStatuses
    .filter((status) => statusCounts[status] > 0)
    .map((status) => `${statusCounts[status]} ${status}`)
  return [
    `Request ${request.id} of ${request.experimentId} v${request.ordinal}`,
    `${counted(request.runCount, 'run')}: ${counts.join(', ')}`,
    solved.runs > 0 && `Solved ${solved.solved} of ${solved.runs} (${percent(solved.solved / solved.runs, 1)})`,
    describeTests(outcomes),
    testAwareCount > 0 && `${counted(testAwareCount, 'run')} noticed being tested`,
    ...request.guidance.map(({ title, message }) => `${title}: ${message}`),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n')
}

function describeTests({ passed, failed, unresolved, errored }: RunRequest['outcomes']) {
  const counts = [
    passed + failed > 0 && `${passed} passed, ${failed} failed`,
    unresolved > 0 && `${unresolved} unresolved`,
    errored > 0 && `${errored} errored`,
  ].filter((count) => typeof count === 'string')
  return counts.length > 0 && `Tests: ${counts.join(', ')}`
}

function describeRun(run: RunDetail, tests: readonly CapturedTest[]) {
  const facts = [
    `Run ${run.runId}`,
    `${run.experimentId} v${run.ordinal}, repeat ${run.repeat}`,
    describeStatus(run),
    [
      run.wallSeconds !== null && `Time ${seconds(run.wallSeconds)}`,
      run.costUsd !== null && `cost ${usd(run.costUsd)}`,
      run.toolCalls !== null && counted(run.toolCalls, 'tool call'),
    ]
      .filter((fact) => typeof fact === 'string')
      .join(', '),
    ...run.guidance.map(({ title, message }) => `${title}: ${message}`),
  ]
  const rows = tests.map(({ testName, outcome, durationMs, exitCode }) => [
    testName,
    outcome,
    milliseconds(durationMs),
    exitCode,
  ])
  const failures = tests
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'errored' || outcome === 'unresolved')
    .filter(({ outcome, stdoutTail, stderrTail }) => outcome === 'failed' || stdoutTail !== '' || stderrTail !== '')
    .map(describeFailure)
  return [
    facts.filter((fact) => fact !== '').join('\n'),
    tests.length > 0 && table(['TEST', 'OUTCOME', 'TIME', 'EXIT'], rows),
    ...failures,
  ]
    .filter((part) => typeof part === 'string')
    .join('\n')
}

/** The reason, unless it is only the status in other words. */
function describeStatus(run: RunDetail) {
  const { status, statusReason: reason } = run
  const solved = isSolved(run, run.outcomes)
  if (reason && reason.toLowerCase() !== status) return `${status}: ${reason}`
  return solved === null ? status : `${status}, ${solved ? 'solved' : 'not solved'}`
}

function describeFailure({ testName, stdoutTail, stderrTail, assertion }: CapturedTest) {
  const output = assertion ?? `${stdoutTail}\n${stderrTail}`.trim()
  const cut = output.length > shownTail ? `…${output.slice(-shownTail)}` : output
  return `--- ${testName}\n${cut || '(no output)'}\n`
}
