import type { TranscriptFormat } from '#contract/definition.ts'
import { reportsToolCalls } from '#platform/transcripts/parsers/line-parser.ts'
import type { ParsedTurn, Usage } from '#platform/transcripts/parsers/parsed-line.ts'

/**
 * Measures of a run from its transcript: calls, tokens, US dollars. Null if the format or the agent does not report
 * them, never zero.
 */
export type TranscriptMeasures = Omit<Usage, 'cacheReadTokens' | 'cacheWriteTokens'> & {
  toolCalls: number | null
  toolFailures: number | null
}

/** Input tokens that were read from a cache or written to one. Providers price them separately. */
export type CachedTokens = { read: number; write: number }

const maxSafeInteger = 2 ** 31 - 1

const plus = (sum: number | null, more: number | null) =>
  more === null ? sum : Math.min((sum ?? 0) + more, maxSafeInteger)

/** Adds up turns and usage reports as they arrive. */
export function createMeasures(format: TranscriptFormat) {
  const known = reportsToolCalls[format] ? 0 : null
  const sums: TranscriptMeasures = {
    toolCalls: known,
    toolFailures: known,
    inputTokens: null,
    outputTokens: null,
    totalTokens: null,
    costUsd: null,
  }
  const cached: CachedTokens = { read: 0, write: 0 }
  return {
    addTurn(turn: ParsedTurn) {
      if (turn.kind === 'tool_call') sums.toolCalls = plus(sums.toolCalls, 1)
      if (turn.kind === 'tool_result' && turn.failed) sums.toolFailures = plus(sums.toolFailures, 1)
    },
    addUsage(usage: Usage) {
      const { inputTokens, outputTokens } = usage
      const both = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens
      sums.inputTokens = plus(sums.inputTokens, inputTokens)
      sums.outputTokens = plus(sums.outputTokens, outputTokens)
      sums.totalTokens = plus(sums.totalTokens, usage.totalTokens ?? both)
      sums.costUsd = plus(sums.costUsd, usage.costUsd)
      cached.read += usage.cacheReadTokens ?? 0
      cached.write += usage.cacheWriteTokens ?? 0
    },
    read: (): TranscriptMeasures => ({ ...sums }),
    readCached: (): CachedTokens => ({ ...cached }),
  }
}
