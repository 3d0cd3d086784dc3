import { isTestOfStep } from '#contract/prompt-steps.ts'
import type { StepRecord } from '#contract/run-steps.ts'
import type { WrittenChanges } from '#platform/queue/changes/store-changes.ts'
import type { ModelOutage, UpstreamBlame } from '#platform/engine/model-gateway/call-upstream.ts'
import type { AgentEnd } from '#platform/engine/run-engine/drivers/driver.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import { unresolvedTest } from '#platform/engine/run-engine/captured-tests/run-test.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { type Infrastructure, infrastructureOf, type RunFailure } from '#platform/queue/run-queue/run-failure.ts'
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

type Observed = {
  isCanceled: boolean
  limit: LimitReason | null
  failure: RunFailure | null
  plan: RunPlan | null
  progress: Progress
}

/** A key of the definition, its quota and an address of the definition are not infrastructure, and a refused key of the operator stays refused. */
const infrastructureToBlame: Record<UpstreamBlame, Infrastructure | null> = {
  provider: { cause: 'provider_outage', isTransient: true },
  operator: { cause: 'provider_outage', isTransient: false },
  definition: null,
  worker: { cause: 'worker_failed', isTransient: true },
}

const whoFailed: Record<UpstreamBlame, string> = {
  provider: 'The model provider failed, not the agent',
  operator: 'The model provider failed, not the agent',
  definition: 'The agent could not use its model with the key or the address of this experiment',
  worker: 'The worker had no room for a model call',
}

/** How the run ended, and what is missing in its record. */
export function endingStatus(observed: Observed) {
  const { statusReason, ...ending } = endingWithoutNotes(observed)
  const sentences = [statusReason, ...observed.progress.notes].filter((part) => part !== null)
  return { ...ending, statusReason: sentences.length === 0 ? null : sentences.join('\n') }
}

function endingWithoutNotes({ isCanceled, limit, failure, plan, progress }: Observed) {
  if (isCanceled) return { status: 'canceled' as const, statusReason: 'Canceled' }
  // A run whose agent never started says nothing about it.
  const unstarted = progress.hasAgentStarted ? null : { cause: 'agent_not_started' as const, isTransient: false }
  if (limit) {
    const reason = limit === 'time' ? `Time limit of ${plan?.budgetSeconds} s reached` : limit.cost
    const infrastructure = unstarted && limit === 'time' ? { ...unstarted, cause: 'setup_failed' as const } : unstarted
    return { status: 'errored' as const, statusReason: reason, infrastructure }
  }
  if (failure) {
    const infrastructure = infrastructureOf(failure) ?? unstarted
    return { status: 'errored' as const, statusReason: failure.message, infrastructure }
  }
  const { agent, outage } = progress
  if (outage !== null && hasFailed(progress)) {
    const parts = [`${whoFailed[outage.blame]}: ${outage.reason}`, agent.note]
    const reason = parts.filter((part) => part !== null).join('\n')
    const statusReason = plan?.masker.text(reason) ?? null
    return { status: 'errored' as const, statusReason, infrastructure: infrastructureToBlame[outage.blame] }
  }
  return { status: 'completed' as const, statusReason: progress.agent.note }
}
