import type { ParsedTurn } from '#platform/queue/agent-lines/parsed-line.ts'
import { createOutputReader, type ReadTurns } from '#platform/queue/transcripts/output-reader.ts'
import { add } from '#platform/queue/transcripts/sum-usage.ts'
import type { FoundTranscript } from '#platform/program/import-formats/reading/found-run.ts'
import type { StoredTranscript } from '#platform/program/import-formats/reading/stored-parts.ts'

/** Of one run. The answer of a content process has it whole. */
const maxBytes = 48 * 1024 * 1024

type Read = {
  transcript: StoredTranscript | null
  /** What the transcript says of tokens, if nothing else does. */
  tokens: { inputTokens: number | null; outputTokens: number | null; costUsd: number | null }
}

const toLines = (turns: readonly ParsedTurn[]) => turns.map((turn) => `${JSON.stringify(turn)}\n`)

/** Reads a transcript as a run's own output is read, with the times that its file has. */
export async function readTranscriptLines(found: FoundTranscript): Promise<Read> {
  if ('stored' in found)
    return { transcript: found.stored, tokens: { inputTokens: null, outputTokens: null, costUsd: null } }
  const format = 'turns' in found ? 'assay-jsonl' : found.format
  const reader = createOutputReader({ format, maxBytes, times: 'printed' })
  const turns: ReadTurns[] = []
  if ('turns' in found) for (const line of toLines(found.turns)) turns.push(...reader.read(Buffer.from(line)).turns)
  else for await (const chunk of found.lines) turns.push(...reader.read(chunk).turns)
  const { tools, usage, unread, evidenceSeq, turns: last } = reader.end()
  turns.push(...last)
  const parts = [...usage.whole, ...usage.unfinished]
  const [first, ...rest] = parts
  const sum = first ? rest.reduce(add, first) : null
  const transcript = turns.length === 0 ? null : { turns: joinTurns(turns), evidenceSeq, ...unread, ...tools }
  return {
    transcript,
    tokens: {
      inputTokens: sum?.inputTokens ?? null,
      outputTokens: sum?.outputTokens ?? null,
      costUsd: usage.unfinished.length > 0 ? null : (sum?.costUsd ?? null),
    },
  }
}

const segmentBytes = 1024 * 1024

/** Joins small parts, so that a transcript has few segments. */
function joinTurns(parts: readonly ReadTurns[]): ReadTurns[] {
  const joined: ReadTurns[][] = []
  let size = Infinity
  for (const part of parts) {
    if (size + part.lines.byteLength > segmentBytes) {
      joined.push([])
      size = 0
    }
    joined.at(-1)?.push(part)
    size += part.lines.byteLength
  }
  return joined.map((group) => ({
    lines: Buffer.concat(group.map(({ lines }) => lines)),
    turnCount: group.reduce((sum, { turnCount }) => sum + turnCount, 0),
    reasoningTurnCount: group.reduce((sum, { reasoningTurnCount }) => sum + reasoningTurnCount, 0),
    images: group.flatMap(({ images }) => images),
  }))
}
