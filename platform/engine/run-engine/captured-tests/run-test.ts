import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

import { exitCodeInWords } from '#contract/exit-codes.ts'
import type { DefinitionTest, TestReport } from '#contract/task-fields.ts'
import type { Outcome } from '#contract/outcomes.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { ContentLost } from '#platform/ground/content/content-job.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { materialize } from '#platform/engine/workspace/materialize.ts'
import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import { readRewardReport } from '#platform/engine/run-engine/captured-tests/reports/read-reward-report.ts'
import { readReportApart } from '#platform/engine/run-engine/captured-tests/reports/read-report-apart.ts'
import { erroredBecause, withDoubts } from './doubts.ts'
import { asRunFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { CommandEnd, RunFolders, Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { inPlace, readBytesInside } from '#platform/engine/workspace/workspace-path.ts'
import { requireStarted } from '#platform/engine/sandbox/require-sandbox.ts'

const defaultTimeoutSeconds = 300
export const timeoutSecondsOf = (test: DefinitionTest) => test.timeoutSeconds ?? defaultTimeoutSeconds

const reportBytes = 16 * 1024 * 1024

type Bench = { blobs: Services['blobs']; sandbox: Sandbox; plan: RunPlan; folders: RunFolders }

/** Writes a test's files, runs its command and reads its report. Every failure becomes the test's outcome. */
export async function runTest(bench: Bench, test: DefinitionTest, signal: AbortSignal): Promise<TestCapture[]> {
  const { blobs, sandbox, plan, folders } = bench
  const staged = plan.files.filter((file) => !file.testNames?.length || file.testNames.includes(test.name))
  try {
    await materialize(blobs, folders.workspace, test.files ?? [], staged, signal)
    // The agent may have left its own report at this path.
    for (const path of pathsOf(test.report)) await inPlace(folders.workspace, path, async () => {})
  } catch (error) {
    const failure = asRunFailure(error, 'The workspace could not be prepared for the test')
    if (failure instanceof RunFailure) return [erroredTest(test.name, failure.message)]
    throw error
  }
  const stdout = createTail()
  const stderr = createTail()
  const report = readsStdout(test.report) ? createTail(reportBytes) : null
  const timeoutSeconds = timeoutSecondsOf(test)
  const step = stepOf(plan, test)
  const end = await sandbox.spawn({
    argv: test.command,
    folders,
    env: { ...plan.env, ASSAY_TEST_NAME: test.name, ...(step && { ASSAY_STEP: step.id }) },
    forwards: [],
    timeoutMs: timeoutSeconds * 1000,
    signal,
    onStdout: (chunk) => {
      stdout.push(chunk)
      report?.push(chunk)
    },
    onStderr: stderr.push,
  })
  requireStarted(end, `The test ${test.name} could not start`)
  const capture = captureOf(test.name, end, { stdout: stdout.text(), stderr: stderr.text(), timeoutSeconds })
  const hasRun = capture.outcome === 'passed' || capture.outcome === 'failed'
  return test.report && hasRun
    ? readCases(bench, {
        capture,
        report: test.report,
        printed: report?.bytes(),
        isOneOfSeveral: (step?.tests ?? plan.task.lastTests).filter(hasRewards).length > 1,
      })
    : [capture]
}

function captureOf(
  name: string,
  end: CommandEnd,
  said: { stdout: string; stderr: string; timeoutSeconds: number },
): TestCapture {
  const notes = {
    passed: '',
    failed: '',
    skipped: '',
    unresolved: end.timedOut ? `The test timed out after ${said.timeoutSeconds} s` : 'The test was stopped',
    errored: end.exceeded ? `The test was stopped: ${end.exceeded}` : `The test could not start: ${end.couldNotStart}`,
  } satisfies Record<Outcome, string>
  const outcome = outcomeOf(end)
  return {
    name,
    outcome,
    exitCode: end.exitCode,
    durationMs: end.couldNotStart ? null : end.durationMs,
    stdoutTail: said.stdout,
    stderrTail: withNote(said.stderr, notes[outcome]),
  }
}

function outcomeOf(end: CommandEnd): Outcome {
  if (end.couldNotStart || end.exceeded) return 'errored'
  if (end.timedOut || end.stopped) return 'unresolved'
  return end.exitCode === 0 ? 'passed' : 'failed'
}

/** The report of a test, and those beside it. */
const reportsOf = (report: TestReport | undefined) => (report ? [report, ...(report.cases ?? [])] : [])
const pathsOf = (report: TestReport | undefined) => reportsOf(report).flatMap(({ path }) => path ?? [])
const readsStdout = (report: TestReport | undefined) => reportsOf(report).some(({ path }) => path === undefined)

const hasRewards = ({ report }: DefinitionTest) => report?.format === 'reward'

const stepOf = ({ task }: RunPlan, test: DefinitionTest) => task.steps.find(({ tests }) => tests.includes(test))

/** Whatever an agent made of these paths. */
export async function removeTestFiles(workspace: string, tests: readonly DefinitionTest[]) {
  for (const { files = [], report } of tests)
    // A report can be in a folder of the files, which this would make again.
    for (const path of [...pathsOf(report), ...files.map(({ dest }) => dest)])
      await inPlace(workspace, path, async () => {})
}

type Command = {
  capture: TestCapture
  report: TestReport
  printed: Uint8Array | undefined
  /** Whether another test of the same step has rewards, too. */
  isOneOfSeveral: boolean
}

async function readCases(bench: Bench, { capture, report, printed, isOneOfSeveral }: Command) {
  const { plan, folders } = bench
  const { format, path } = report
  const { organizationId } = plan.run
  const why = (error: unknown) => {
    const reason = messageOf(error)
    return plan.masker.text(reason).replaceAll(join(folders.workspace, '/'), '')
  }
  if (format === 'reward') {
    const read = (from: string | undefined) => readIfThere(bench, from, printed)
    return withDoubts(
      capture,
      await readRewardReport(capture, report, { organizationId, read, why, isOneOfSeveral, masker: plan.masker }),
    )
  }
  try {
    const bytes = printed ?? (await readBytesInside(folders.workspace, path ?? '', reportBytes))
    return withDoubts(
      capture,
      await readReportApart(organizationId, { testName: capture.name, format, report: bytes }, plan.masker),
    )
  } catch (error) {
    if (error instanceof ContentLost) throw error
    const reason = why(error)
    const of = path === undefined || reason.startsWith(path) ? '' : ` ${path}`
    const notes = [endOf(capture), `The ${format} report${of} could not be read: ${reason}`]
    return [erroredBecause(capture, notes.filter((note) => note !== '').join('\n'))]
  }
}

/** Returns null if the file is missing, or if nothing was printed where stdout is the report. */
async function readIfThere({ folders }: Bench, path: string | undefined, printed: Uint8Array = new Uint8Array()) {
  if (path === undefined) return printed.every(isBlank) ? null : printed
  const isThere = await lstat(join(folders.workspace, path)).then(
    () => true,
    () => false,
  )
  return isThere ? readBytesInside(folders.workspace, path, reportBytes) : null
}

const isBlank = (byte: number) => byte <= 0x20

const endOf = ({ exitCode }: TestCapture) =>
  exitCode === 0 || exitCode == null ? '' : `The command ended with ${exitCodeInWords(exitCode)}`

const withNote = (text: string, note: string) => [text, note].filter((part) => part !== '').join('\n')

/** The capture of a test that never ran because of a fault of the platform or the definition. */
const erroredTest = (name: string, reason: string): TestCapture => ({
  name,
  outcome: 'errored',
  exitCode: null,
  durationMs: null,
  stdoutTail: '',
  stderrTail: reason,
})

export const unresolvedTest = (name: string): TestCapture => ({
  name,
  outcome: 'unresolved',
  exitCode: null,
  durationMs: null,
  stdoutTail: '',
  stderrTail: '',
})
