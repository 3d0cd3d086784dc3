import type { ProviderName } from '#platform/ground/models/providers.ts'
import type { WireApi } from '#platform/engine/model-gateway/formats/wire-format.ts'
import type { TokenSource } from './measure-answer.ts'

/** One call of a run, as the gateway saw it. `model` is the model that was asked for. */
export type CallRecord = {
  seq: number
  startedAt: string
  provider: ProviderName
  api: WireApi | null
  model: string | null
  answeredModel: string | null
  /** The status that the client got; null if it got none. */
  status: number | null
  /** Whether the gateway answered instead of the provider. */
  refused: boolean
  inputTokens: number | null
  cachedTokens: number | null
  outputTokens: number | null
  tokenSource: TokenSource
  costUsd: number | null
  firstByteMs: number | null
  durationMs: number
  error: string | null
}

/** The calls of one run so far. `costUsd` is null if the price of one of them is unknown. */
export type CallTotals = {
  calls: number
  inputTokens: number
  cachedTokens: number
  outputTokens: number
  costUsd: number | null
  hasEstimates: boolean
}

const maxSum = Number.MAX_SAFE_INTEGER

/** Only calls that a provider answered have tokens. */
export function createTotals() {
  const totals: CallTotals = {
    calls: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    hasEstimates: false,
  }
  return {
    add(call: CallRecord) {
      if (call.tokenSource === 'none') return
      totals.calls += 1
      totals.inputTokens = Math.min(maxSum, totals.inputTokens + (call.inputTokens ?? 0))
      totals.cachedTokens = Math.min(maxSum, totals.cachedTokens + (call.cachedTokens ?? 0))
      totals.outputTokens = Math.min(maxSum, totals.outputTokens + (call.outputTokens ?? 0))
      totals.costUsd = totals.costUsd === null || call.costUsd === null ? null : totals.costUsd + call.costUsd
      totals.hasEstimates ||= call.tokenSource === 'estimated'
    },
    read: (): CallTotals => ({ ...totals }),
  }
}
