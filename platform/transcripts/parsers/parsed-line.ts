import type { Turn } from '#contract/transcripts.ts'

/** A turn as the agent printed it, without its sequence number. `ts` is null if the format has no times. Its ids are those of the client. */
export type ParsedTurn = Omit<Turn, 'seq'>

/**
 * The usage since the last report, in one line; null if the line does not report a value. `inputTokens` counts the
 * whole prompt, including tokens read from a cache or written to one, which providers price separately.
 */
export type Usage = {
  inputTokens: number | null
  outputTokens: number | null
  totalTokens: number | null
  costUsd: number | null
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

/** `malformed` is set if the line cannot be read. A valid line without content has no turns. */
export type ParsedLine = { turns: ParsedTurn[]; usage?: Usage; malformed?: boolean }

/** `end` returns the turns that were still incomplete when the agent's output ended. */
export type LineParser = { line: (line: string) => ParsedLine; end: () => ParsedTurn[] }
