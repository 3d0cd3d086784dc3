import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/runs.ts'
import { createAssayParser } from './assay-jsonl.ts'
import { createClaudeParser } from './claude-stream-json.ts'
import { createCodexParser } from './codex-jsonl.ts'

/** A turn as an agent printed it, before it has its place; `ts` is null when the format carries no time. */
export type ParsedTurn = Omit<Turn, 'seq'>

/** What one line reports as spent since the last report; null when it does not say. */
export type Usage = {
  inputTokens: number | null
  outputTokens: number | null
  totalTokens: number | null
  costUsd: number | null
}

/** `malformed` when the line cannot be read; a line that is well formed and says nothing has no turns. */
export type ParsedLine = { turns: ParsedTurn[]; usage?: Usage; malformed?: boolean }

export type LineParser = (line: string) => ParsedLine

/** Formats that report every tool call, so that none seen means none made. */
export const reportsToolCalls: Record<TranscriptFormat, boolean> = {
  text: false,
  'assay-jsonl': true,
  'claude-stream-json': true,
  'codex-jsonl': true,
}

/** A parser for what one agent prints; it may remember earlier lines, so each run needs its own. */
export function createLineParser(format: TranscriptFormat): LineParser {
  switch (format) {
    case 'assay-jsonl':
      return createAssayParser()
    case 'claude-stream-json':
      return createClaudeParser()
    case 'codex-jsonl':
      return createCodexParser()
    case 'text':
      return parseText
  }
}

function parseText(line: string): ParsedLine {
  if (line.trim() === '') return { turns: [] }
  return { turns: [{ ts: null, role: 'assistant', kind: 'output', text: line }] }
}
