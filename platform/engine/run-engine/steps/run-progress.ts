import { isTestOfStep } from '#contract/prompt-steps.ts'
import type { StepRecord } from '#contract/run-steps.ts'
import type { WrittenChanges } from '#platform/queue/changes/store-changes.ts'
import type { ModelOutage } from '#platform/engine/model-gateway/call-upstream.ts'
import type { AgentEnd } from '#platform/engine/run-engine/drivers/driver.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import { unresolvedTest } from '#platform/engine/run-engine/captured-tests/run-test.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import type { ModelUse } from '#platform/queue/run-queue/run-ending.ts'
import type { TranscriptEnd, TranscriptWriter } from '#platform/queue/transcripts/write-transcript.ts'

/** The state of a run in progress. The ending of a run that stops is computed from it. */
export type Progress = {
  imageDigest: string | null
  hasAgentStarted: boolean
  agent: AgentEnd
  transcript: TranscriptEnd | null
  transcriptWriter: TranscriptWriter | null
  testAwareEvidenceSeq: number | null
  wallSeconds: number | null
  changes: WrittenChanges | null
  tests: TestCapture[]
  /** The steps that started; empty for a task without steps. */
  steps: StepRecord[]
  /** Why some tests do not run although the run goes on. */
  whyNeverRan: { names: ReadonlySet<string>; reason: string } | null
  modelUse: ModelUse | null
  /** What could not be recorded of the run, in sentences. */
  notes: string[]
  /** Why the last model call failed, if its provider is the reason. */
  outage: ModelOutage | null
}

/** Why an agent is stopped by its run's own limits. */
export type LimitReason = 'time' | { cost: string }

export const noProgress = (): Progress => ({
  imageDigest: null,
  hasAgentStarted: false,
  agent: { exitCode: null, note: null },
  transcript: null,
  transcriptWriter: null,
  testAwareEvidenceSeq: null,
  wallSeconds: null,
  changes: null,
  tests: [],
  steps: [],
  whyNeverRan: null,
  modelUse: null,
  notes: [],
  outage: null,
})

/** Returns the tests that had not run when the run stopped: unresolved, with the reason why the run stopped. */
export function testsThatNeverRan(plan: RunPlan | null, progress: Progress) {
  const ran = new Set(progress.tests.map((test) => test.name))
  const isDone = (name: string) => ran.has(name) || progress.tests.some((test) => test.name.startsWith(`${name}/`))
  const { names, reason } = progress.whyNeverRan ?? { names: new Set(), reason: '' }
  return (plan?.task.tests ?? [])
    .filter((test) => !isDone(test.name))
    .map(({ name }) => ({ ...unresolvedTest(name), ...(names.has(name) && { stderrTail: reason }) }))
}

/** Marks the tests of earlier steps if only those of the last step that started decide. */
export function withDecidingTests(plan: RunPlan | null, { steps }: Progress, tests: TestCapture[]): TestCapture[] {
  const last = steps.at(-1)
  if (!last || plan?.task.stepReward !== 'final') return tests
  const others = plan.task.steps.filter(({ id }) => id !== last.id)
  return tests.map((test) => (others.some(({ id }) => isTestOfStep(id, test.name)) ? { ...test, counts: false } : test))
}

export const hasFailed = ({ agent }: Progress) => agent.exitCode !== 0
