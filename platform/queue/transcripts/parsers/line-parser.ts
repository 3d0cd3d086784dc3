import type { TranscriptFormat } from '#contract/definition.ts'
import { createAssayParser } from './assay-jsonl.ts'
import { createClaudeParser } from './claude-stream-json.ts'
import { createCodexParser } from './codex-jsonl.ts'
import { createGeminiParser } from './gemini-stream-json.ts'
import { createOpencodeParser } from './opencode-json.ts'
import { createCallPairs } from './pair-calls.ts'
import type { LineParser, ParsedLine, ParsedTurn } from './parsed-line.ts'
import { takeTextFiles } from './take-files.ts'

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
  text: () => ({ line: parseText, end: () => ({ turns: [] }) }),
  'assay-jsonl': createAssayParser,
  'claude-stream-json': createClaudeParser,
  'codex-jsonl': createCodexParser,
  'gemini-stream-json': createGeminiParser,
  'opencode-json': createOpencodeParser,
}

/** Creates a parser for one agent's output. It can remember earlier lines, so each run needs its own parser. */
export function createLineParser(format: TranscriptFormat): LineParser {
  const parser = parsers[format]()
  const pair = createCallPairs()
  const paired = (parsed: ParsedLine) => ({ ...parsed, turns: parsed.turns.map(withoutFiles).map(pair) })
  return {
    line: (text) => paired(parser.line(text)),
    end: () => paired(parser.end()),
  }
}

/** Files can be encoded in any text: a model quotes them, and tools print them in JSON of their own. */
function withoutFiles(turn: ParsedTurn): ParsedTurn {
  const { text, images } = takeTextFiles(turn.text)
  if (text === turn.text) return turn
  return { ...turn, text, ...(images.length > 0 && { images: [...(turn.images ?? []), ...images] }) }
}

function parseText(line: string): ParsedLine {
  if (line.trim() === '') return { turns: [] }
  return { turns: [{ ts: null, role: 'assistant', kind: 'output', text: line }] }
}
