import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import { toInstant, toSixDigits } from '#platform/database/instants.ts'
import { type CachedTokens, createMeasures, type TranscriptMeasures } from './measure-transcript.ts'
import { maxTurnCharacters } from '#platform/transcripts/parsers/json-line.ts'
import { createLineParser } from '#platform/transcripts/parsers/line-parser.ts'
import type { ParsedTurn } from '#platform/transcripts/parsers/parsed-line.ts'
import type { RunAttempt, Segment } from './segments.ts'
import { splitLines } from './split-lines.ts'
import { writeSegments } from './write-segments.ts'

export type TranscriptEnd = {
  measures: TranscriptMeasures
  cached: CachedTokens
  segments: Segment[]
  skippedMalformed: number
  /** False if certainly no row names the segments yet. */
  isPublished?: boolean
}

export type TranscriptWriter = {
  /** Takes the agent's output. Resolves when the agent may print more. */
  write: (chunk: Uint8Array) => Promise<void>
  /** Stores the remaining turns. They can be read within a second, or as soon as the run is settled. */
  close: () => Promise<TranscriptEnd>
  /** After `close`: makes the transcript readable now, even an empty one. */
  publish: () => Promise<void>
  /** After `close`: leaves the segments to the code that settles the run, and returns whether some may already be published. */
  handOver: () => Promise<boolean>
}

type Options = {
  format: TranscriptFormat
  /** Masks secrets in a line after it is parsed. Secrets in plain text are already masked before. */
  mask?: (text: string) => string
  onTurn?: (turn: Turn) => void
  /** Until it aborts, turns wait for a database or disk that fails. */
  abandoned?: AbortSignal
  flushAfterMs?: number
  /** The maximum size of a transcript in bytes, so that endless output cannot fill the disk. */
  maxBytes?: number
}

const maxFieldCharacters = 300
const maskedFields = ['tool', 'callId', 'parentCallId', 'summary'] as const

/**
 * Writes an agent's output as transcript segments, each flushed after a second, 500 turns or 1 MiB, so the transcript
 * can be read while the agent runs and survives a kill. A worker that has lost its attempt writes nothing more.
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
    for (const field of maskedFields) {
      const value = parsed[field]
      if (value !== undefined) turn[field] = mask(value).slice(0, maxFieldCharacters).toWellFormed()
    }
    onTurn?.(turn)
    bytes += writer.append(turn)
  }
  const keep = (turn: ParsedTurn) => {
    measures.addTurn(turn)
    if (bytes > maxBytes) return
    append(turn)
    if (bytes > maxBytes) append(cutShort)
  }
  const addLine = async (line: string) => {
    const parsed = parser.line(line)
    if (parsed.malformed) malformed += 1
    if (parsed.usage) measures.addUsage(parsed.usage)
    for (const turn of parsed.turns) keep(turn)
    await writer.flushWhenDue()
  }
  return {
    async write(chunk) {
      for (const line of lines.push(chunk)) await addLine(line)
    },
    publish: () => writer.publishNow(),
    handOver: () => writer.handOver(),
    async close() {
      for (const line of lines.end()) await addLine(line)
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
  text: 'The agent printed more than a transcript can store; the rest is not stored.',
}

/** Makes the text well formed last: an agent can print half a surrogate pair, and a cut can leave one. */
const cut = (text: string) =>
  (text.length > maxTurnCharacters ? `${text.slice(0, maxTurnCharacters)}\n[cut]` : text).toWellFormed()
