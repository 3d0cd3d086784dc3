import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/transcripts.ts'
import { createAssayParser } from './assay-jsonl.ts'
import { createClaudeParser } from './claude-stream-json.ts'
import { createCodexParser } from './codex-jsonl.ts'
import { createGeminiParser } from './gemini-stream-json.ts'
import { createOpencodeParser } from './opencode-json.ts'

/** A turn as an agent printed it, before it has its place; `ts` is null when the format carries no time. */
export type ParsedTurn = Omit<Turn, 'seq'>

/**
 * What one line reports as spent since the last report; null when it does not say. `inputTokens` counts the whole prompt,
 * with what was read from a cache or written to one; providers price those two apart.
 */
export type Usage = {
  inputTokens: number | null
  outputTokens: number | null
  totalTokens: number | null
  costUsd: number | null
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

/** `malformed` when the line cannot be read; a line that is well formed and says nothing has no turns. */
export type ParsedLine = { turns: ParsedTurn[]; usage?: Usage; malformed?: boolean }

/** `end` gives what a format spreads over several lines and was still open when the agent fell silent. */
export type LineParser = { line: (line: string) => ParsedLine; end: () => ParsedTurn[] }

/** Formats that report every tool call, so that none seen means none made. */
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

/** A parser for what one agent prints; it may remember earlier lines, so each run needs its own. */
export const createLineParser = (format: TranscriptFormat): LineParser => parsers[format]()

function parseText(line: string): ParsedLine {
  if (line.trim() === '') return { turns: [] }
  return { turns: [{ ts: null, role: 'assistant', kind: 'output', text: line }] }
}
