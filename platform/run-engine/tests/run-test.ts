import { join } from 'node:path'

import type { DefinitionTest } from '#contract/task-fields.ts'
import { exitCodeInWords } from '#contract/exit-codes.ts'
import type { Outcome } from '#contract/outcomes.ts'
import type { Services } from '#platform/context/context.ts'
import type { TestCapture } from '#platform/run-queue/record-tests.ts'
import { materialize } from '#platform/run-engine/workspace/materialize.ts'
import { createTail } from '#platform/run-engine/sandbox/output-tail.ts'
import type { RunPlan } from '#platform/run-engine/plan/plan-run.ts'
import { readReport } from '#platform/run-engine/tests/reports/read-report.ts'
import { erroredBecause, withDoubts } from './doubts.ts'
import { asRunFailure, RunFailure } from '#platform/run-queue/run-failure.ts'
import type { CommandEnd, RunFolders, Sandbox } from '#platform/run-engine/sandbox/sandbox.ts'
import { inPlace, readBytesInside } from '#platform/run-engine/workspace/workspace-path.ts'
import { requireStarted } from '#platform/run-engine/sandbox/require-sandbox.ts'

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
    if (test.report?.path) await inPlace(folders.workspace, test.report.path, async () => {})
  } catch (error) {
    const failure = asRunFailure(error, 'The workspace could not be prepared for the test')
    if (failure instanceof RunFailure) return [erroredTest(test.name, failure.message)]
    throw error
  }
  const stdout = createTail()
  const stderr = createTail()
  const report = test.report && !test.report.path ? createTail(reportBytes) : null
  const timeoutSeconds = timeoutSecondsOf(test)
  const end = await sandbox.spawn({
    argv: test.command,
    folders,
    env: { ...plan.env, ASSAY_TEST_NAME: test.name },
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
    ? readCases(bench, { capture, report: test.report, printed: report?.bytes() })
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

type Report = NonNullable<DefinitionTest['report']>

type Command = { capture: TestCapture; report: Report; printed: Uint8Array | undefined }

async function readCases({ plan, folders }: Bench, { capture, report, printed }: Command) {
  const { format, path } = report
  try {
    const bytes = printed ?? (await readBytesInside(folders.workspace, path ?? '', reportBytes))
    return withDoubts(capture, await readReport(capture.name, format, bytes, plan.masker.text))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const why = plan.masker.text(reason).replaceAll(join(folders.workspace, '/'), '')
    const of = path === undefined || why.startsWith(path) ? '' : ` ${path}`
    const notes = [endOf(capture), `The ${format} report${of} could not be read: ${why}`]
    return [erroredBecause(capture, notes.filter((note) => note !== '').join('\n'))]
  }
}

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
