import type { ModelCall } from '#contract/model-calls.ts'
import type { CostLimitScope } from '#contract/runs.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import { modelCalls, modelTokens } from '#platform/ground/metrics/metrics.ts'
import { recordModelCalls } from '#platform/queue/model-calls/record-model-calls.ts'
import { sumCostOfRequest, sumCostOfRun } from '#platform/queue/model-calls/sum-cost.ts'
import { workerMemory } from '#platform/engine/model-gateway/body-memory.ts'
import type { ModelOutage } from '#platform/engine/model-gateway/call-upstream.ts'
import { type Budget, createBudget } from '#platform/engine/model-gateway/budget.ts'
import { keyFault } from '#platform/engine/model-gateway/model-access.ts'
import { type CheckAddress, openDispatchers } from '#platform/engine/model-gateway/open-dispatchers.ts'
import { gatewayPort, openRunGateway } from '#platform/engine/model-gateway/open-run-gateway.ts'
import type { ProviderAddresses } from '#platform/engine/model-gateway/provider-addresses.ts'
import type { ModelPrices } from '#platform/ground/models/model-prices.ts'
import type { RunPlan } from '#platform/engine/run-engine/plan/plan-run.ts'
import type { Variables } from '#platform/ground/models/run-variables.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { currentTrace, recordSpan } from '#platform/ground/tracing/traced.ts'
import { shareBudgets } from './share-budgets.ts'
import type { Forward } from '#platform/engine/sandbox/sandbox.ts'
import type { ModelUse } from '#platform/queue/run-queue/run-ending.ts'

/** The access of one run to its models. */
export type Models = {
  /** Variables of the agent that replace keys and addresses. */
  variables: Variables
  forwards: readonly Forward[]
  /** The reason if the last call failed because of its provider. */
  outage: () => ModelOutage | null
  /** Ends the access; may be called twice. Calls in flight may end within `graceMs`, so that their cost is known. */
  close: (graceMs: number) => Promise<void>
  /** What the calls have used. Complete after `close`, even if it throws. */
  use: () => ModelUse
}

type Worker = {
  db: Database
  prices: ModelPrices
  addresses: ProviderAddresses
  checkAddress: CheckAddress
  /** The operator's proxy, if the machine has no other way out. */
  proxy: URL | null
}

type Run = {
  hasOwnNetwork: boolean
  /** Aborts when nothing more may be written. */
  abandoned: AbortSignal
  /** Called once a budget is used up, with the reason. */
  onLimit: (reason: string) => void
}

export type ModelGateway = ReturnType<typeof startModelGateway>

/** Starts the gateway of a worker. Runs of one request share the request's budget. */
export function startModelGateway({ db, prices, addresses, checkAddress, proxy }: Worker) {
  const dispatchers = openDispatchers({ checkAddress, proxy })
  const memory = workerMemory()
  const requestBudgets = shareBudgets((requestId, signal) =>
    retryDuringOutages(() => sumCostOfRequest(db, requestId), signal),
  )

  /** Opens the access of a run, or returns null if it has none. Throws RunFailure for a key that it cannot use. */
  const openModels = async (plan: RunPlan, { hasOwnNetwork, abandoned, onLimit }: Run): Promise<Models | null> => {
    const { models, run, costLimits } = plan
    if (!models) return null
    const fault = keyFault(models.access)
    if (fault !== null) throw new RunFailure(fault)
    const joined = costLimits.request === null ? null : requestBudgets.join(run.requestId, costLimits.request)
    const ofRequest = joined?.budget ?? null
    // Earlier attempts have spent a part of the limit.
    const readSpent = (signal: AbortSignal) => retryDuringOutages(() => sumCostOfRun(db, run.id), signal)
    const ofRun = costLimits.run === null ? null : createBudget(costLimits.run, run.attempt > 1 ? readSpent : undefined)
    const budgets = [ofRun, ofRequest].filter((budget) => budget !== null)
    const trace = currentTrace()
    let limitHit: ModelUse['limitHit'] = null
    const onBudgetHit = (budget: Budget) => {
      limitHit = budget === ofRun ? 'run' : 'request'
      onLimit(whyStopped(budget, limitHit))
    }
    const gateway = openRunGateway({
      access: models.access,
      token: plan.modelToken,
      mask: plan.masker.text,
      memory: memory.ofRun(run.organizationId),
      prices,
      addresses,
      budgets,
      dispatcherFor: dispatchers.dispatcherFor,
      async writeCalls(calls) {
        const attempt = { runId: run.id, attempt: run.attempt }
        await retryDuringOutages(() => recordModelCalls(db, attempt, calls), abandoned)
        for (const call of calls) {
          countCall(call)
          traceCall(trace, call)
        }
      },
      onBudgetHit,
    })
    const close = async (graceMs: number) => {
      try {
        await gateway.close(graceMs)
      } finally {
        joined?.leave()
      }
    }
    let address = gatewayPort
    try {
      // A run that can make no call ends before its setup.
      for (const budget of budgets) {
        if (await budget.isLeft(abandoned)) continue
        onBudgetHit(budget)
        break
      }
      if (!hasOwnNetwork) address = await gateway.listen()
    } catch (error) {
      joined?.leave()
      throw error
    }
    return {
      variables: models.variables(`http://127.0.0.1:${address}`),
      forwards: hasOwnNetwork ? [{ port: gatewayPort, onConnection: gateway.onConnection }] : [],
      outage: gateway.outage,
      close,
      use: () => ({
        ...gateway.totals(),
        limitUsd: (limitHit === 'request' ? ofRequest : (ofRun ?? ofRequest))?.maxUsd ?? null,
        limitHit,
      }),
    }
  }
  return {
    openModels,
    close: dispatchers.close,
  }
}

function countCall({ provider, status, refused, inputTokens, outputTokens }: Omit<ModelCall, 'attempt'>) {
  const isOk = status !== null && status !== undefined && status < 400
  modelCalls.inc({ provider, outcome: refused ? 'refused' : isOk ? 'ok' : 'failed' })
  modelTokens.inc({ provider, direction: 'in' }, inputTokens ?? 0)
  modelTokens.inc({ provider, direction: 'out' }, outputTokens ?? 0)
}

const maxModelName = 200

/** Named as OpenTelemetry's conventions for generative models say. */
const traceCall = (trace: Parameters<typeof recordSpan>[0], call: Omit<ModelCall, 'attempt'>) =>
  recordSpan(trace, 'call model', {
    attributes: {
      'gen_ai.provider.name': call.provider,
      // Of a refused call it is whatever the agent wrote.
      'gen_ai.request.model': call.refused ? undefined : (call.model?.slice(0, maxModelName) ?? undefined),
      'gen_ai.usage.input_tokens': call.inputTokens ?? undefined,
      'gen_ai.usage.output_tokens': call.outputTokens ?? undefined,
      'http.response.status_code': call.status ?? undefined,
    },
    startedAt: new Date(call.startedAt),
    milliseconds: call.durationMs,
    hasFailed: call.refused || call.status === null || call.status >= 400,
  })

const whyStopped = ({ maxUsd, spent }: Budget, limit: CostLimitScope) =>
  limit === 'run'
    ? `Cost limit of $${maxUsd} reached: the model calls cost $${spent().toFixed(4)}`
    : `Budget of the submission reached: the model calls of its runs cost $${spent().toFixed(4)} of $${maxUsd}`
