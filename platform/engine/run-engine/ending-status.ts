import type { UpstreamBlame } from '#platform/engine/model-gateway/call-upstream.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import { hasFailed, type LimitReason, type Progress } from '#platform/engine/run-engine/steps/run-progress.ts'
import { type Infrastructure, infrastructureOf, type RunFailure } from '#platform/queue/run-queue/run-failure.ts'

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

/** How the run ended, whose failure it is, and what is missing in its record. */
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
