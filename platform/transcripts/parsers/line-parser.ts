import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/transcripts.ts'
import { createAssayParser } from './assay-jsonl.ts'
import { createClaudeParser } from './claude-stream-json.ts'
import { createCodexParser } from './codex-jsonl.ts'
import { createGeminiParser } from './gemini-stream-json.ts'
import { createOpencodeParser } from './opencode-json.ts'

/** A turn as the agent printed it, without its sequence number. `ts` is null if the format has no times. */
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

/** Formats that report every tool call. With them, no reported calls means no calls. */
export const reportsToolCalls: Record<TranscriptFormat, boolean> = {
  text: false,
  'assay-jsonl': true,
  'claude-stream-json': true,
  'codex-jsonl': true,
  'gemini-stream-json': true,
  'opencode-json': true,
}

const parsers: Record<TranscriptFormat, () => LineParser> = {
  text: () => ({ line: parseText, end: () => [] }),
  'assay-jsonl': createAssayParser,
  'claude-stream-json': createClaudeParser,
  'codex-jsonl': createCodexParser,
  'gemini-stream-json': createGeminiParser,
  'opencode-json': createOpencodeParser,
}

/** Creates a parser for one agent's output. It can remember earlier lines, so each run needs its own parser. */
export const createLineParser = (format: TranscriptFormat): LineParser => parsers[format]()

function parseText(line: string): ParsedLine {
  if (line.trim() === '') return { turns: [] }
  return { turns: [{ ts: null, role: 'assistant', kind: 'output', text: line }] }
}
