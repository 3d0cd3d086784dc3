import type { DefinitionTest } from '#contract/definition.ts'
import type { TestCapture } from '#platform/run-queue/record-tests.ts'

/**
 * How one run is carried out, beat by beat. A beat whose signal aborts stops at once with no process left, and returns;
 * whoever aborted knows why. RunFailure ends the run as `errored`.
 */
export type Driver = {
  setUp: (signal: AbortSignal) => Promise<void>
  /** `print` takes what the agent says, in the plan's transcript format. Answers a note for a run that goes on, or null. */
  runAgent: (print: (chunk: Uint8Array) => Promise<void>, signal: AbortSignal) => Promise<string | null>
  /** One capture, or one for each case of the test's report. */
  runTest: (test: DefinitionTest, signal: AbortSignal) => Promise<TestCapture[]>
  dispose: () => Promise<void>
}
