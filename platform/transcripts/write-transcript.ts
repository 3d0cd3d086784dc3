import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import { toInstant, toSixDigits } from '#platform/database/tables/columns.ts'
import { type CachedTokens, createMeasures, type TranscriptMeasures } from './measure-transcript.ts'
import { maxTurnCharacters } from './parsers/json-line.ts'
import { createLineParser, type ParsedTurn } from './parsers/line-parser.ts'
import type { RunAttempt, Segment } from './segments.ts'
import { splitLines } from './split-lines.ts'
import { writeSegments } from './write-segments.ts'

export type TranscriptEnd = {
  measures: TranscriptMeasures
  cached: CachedTokens
  segments: Segment[]
  skippedMalformed: number
}

export type TranscriptWriter = {
  /** Takes in what the agent printed; settles when it may print more. */
  write: (chunk: Uint8Array) => Promise<void>
  /** Writes what is left and publishes the transcript, even an empty one. */
  close: () => Promise<TranscriptEnd>
}

type Options = {
  format: TranscriptFormat
  /** Takes secrets out of what a line says once it is read; those that stood in it as they are are gone by then. */
  mask?: (text: string) => string
  onTurn?: (turn: Turn) => void
  /** Until it aborts, turns wait for a database or a disk that refuses them. */
  abandoned?: AbortSignal
  flushAfterMs?: number
  /** An agent that prints without end must not fill the disk. */
  maxBytes?: number
}

const maxToolNameCharacters = 200

/**
 * Turns an agent's output into transcript segments, each flushed after a second, 500 turns or 1 MiB, so the conversation
 * can be read while it goes on and survives a kill. A worker that has lost its attempt writes nothing more.
 */
export function writeTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: RunAttempt,
  { format, mask = (text) => text, onTurn, flushAfterMs = 1000, maxBytes = 256 * 1024 * 1024, abandoned }: Options,
): TranscriptWriter {
  const lines = splitLines()
  const parser = createLineParser(format)
  const measures = createMeasures(format)
  let malformed = 0
  let seq = 0
  let bytes = 0
  const skippedMalformed = () => malformed + lines.skipped()
  const writer = writeSegments(services, run, {
    flushAfterMs,
    skippedMalformed,
    abandoned: abandoned ?? new AbortController().signal,
  })

  const append = (parsed: ParsedTurn) => {
    seq += 1
    const turn: Turn = {
      seq,
      ...parsed,
      ts: parsed.ts === null ? toInstant(new Date()) : toSixDigits(parsed.ts),
      text: cut(mask(parsed.text)),
    }
    if (parsed.tool !== undefined) turn.tool = mask(parsed.tool).slice(0, maxToolNameCharacters).toWellFormed()
    onTurn?.(turn)
    bytes += writer.append(turn)
  }
  const keep = (turn: ParsedTurn) => {
    measures.addTurn(turn)
    if (bytes > maxBytes) return
    append(turn)
    if (bytes > maxBytes) append(cutShort)
  }
  const take = async (line: string) => {
    const parsed = parser.line(line)
    if (parsed.malformed) malformed += 1
    if (parsed.usage) measures.addUsage(parsed.usage)
    for (const turn of parsed.turns) keep(turn)
    await writer.flushWhenDue()
  }
  return {
    async write(chunk) {
      for (const line of lines.push(chunk)) await take(line)
    },
    async close() {
      for (const line of lines.end()) await take(line)
      for (const turn of parser.end()) keep(turn)
      await writer.finish()
      const { segments } = writer
      return {
        measures: measures.read(),
        cached: measures.readCached(),
        segments,
        skippedMalformed: skippedMalformed(),
      }
    },
  }
}

const cutShort: ParsedTurn = {
  ts: null,
  role: 'system',
  kind: 'message',
  text: 'The agent printed more than a transcript may hold; the rest is not kept.',
}

/** Well formed last: an agent may print half a surrogate pair, and a cut may leave one. */
const cut = (text: string) =>
  (text.length > maxTurnCharacters ? `${text.slice(0, maxTurnCharacters)}\n[cut]` : text).toWellFormed()
