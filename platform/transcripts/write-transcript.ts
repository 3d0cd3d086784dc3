import type { TranscriptFormat } from '#contract/definition.ts'
import type { ReportedUsage } from '#contract/run-usage.ts'
import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context/context.ts'
import { toInstant, toSixDigits } from '#platform/database/instants.ts'
import { createMeasures, type ToolMeasures } from './measure-transcript.ts'
import { type PricedUsage, priceUsage } from './price-usage.ts'
import { maxTurnCharacters } from '#platform/transcripts/parsers/json-line.ts'
import { createLineParser } from '#platform/transcripts/parsers/line-parser.ts'
import type { ParsedLine, ParsedTurn } from '#platform/transcripts/parsers/parsed-line.ts'
import type { RunAttempt, Segment } from './segments.ts'
import { splitLines } from './split-lines.ts'
import type { UsageReport } from './sum-usage.ts'
import { createImageStore, type StoredImage } from './turn-images.ts'
import { type UnreadLines, writeSegments } from './write-segments.ts'

/** Calls, tokens and US dollars of a run from its transcript. Null if they are not known, never zero. */
export type TranscriptMeasures = ToolMeasures & Omit<PricedUsage, 'details'>

export type TranscriptEnd = UnreadLines & {
  measures: TranscriptMeasures
  reportedUsage: ReportedUsage | null
  segments: Segment[]
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
  /** Prices what the agent reports. Default: only costs that it reports itself. */
  price?: (report: UsageReport) => PricedUsage
  /** Until it aborts, turns wait for a database or disk that fails. */
  abandoned?: AbortSignal
  flushAfterMs?: number
  /** The maximum size of a transcript in bytes, so that endless output cannot fill the disk. */
  maxBytes?: number
}

const maxCharactersOf = { tool: 200, callId: 300, parentCallId: 300, summary: 200 }
const maskedFields = ['tool', 'callId', 'parentCallId', 'summary'] as const

/**
 * Writes an agent's output as transcript segments, each flushed after a second, 500 turns or 1 MiB, so the transcript
 * can be read while the agent runs and survives a kill. A worker that has lost its attempt writes nothing more.
 */
export function writeTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: RunAttempt,
  options: Options,
): TranscriptWriter {
  const { format, mask = (text) => text, onTurn, price = withoutPrices } = options
  const { abandoned = new AbortController().signal } = options
  const { flushAfterMs = 1000, maxBytes = 256 * 1024 * 1024 } = options
  const lines = splitLines()
  const parser = createLineParser(format)
  const measures = createMeasures(format)
  const openedAt = Date.now()
  let seq = 0
  let bytes = 0
  const readUnread = () => measures.readUnread(lines.skipped())
  const writer = writeSegments(services, run, { flushAfterMs, readUnread, abandoned })
  const images = createImageStore(services, run, abandoned)

  const append = (parsed: ParsedTurn, stored: readonly StoredImage[]) => {
    seq += 1
    const { images: _images, ...printed } = parsed
    const turn: Turn = {
      seq,
      ...printed,
      ts: timeOf(parsed.ts, openedAt),
      text: cut(mask(parsed.text)),
    }
    for (const field of maskedFields) {
      const value = parsed[field]
      if (value !== undefined) turn[field] = mask(value).slice(0, maxCharactersOf[field]).toWellFormed()
    }
    if (stored.length > 0) turn.images = stored.map(({ image }) => image)
    onTurn?.(turn)
    bytes += writer.append(
      turn,
      stored.flatMap(({ newKey }) => newKey ?? []),
    )
  }
  const keep = async (turn: ParsedTurn) => {
    measures.addTurn(turn)
    if (bytes > maxBytes) return
    append(turn, await storeAll(turn.images ?? []))
    if (bytes > maxBytes) append(cutShort, [])
  }
  const storeAll = async (printed: readonly string[]) => {
    const stored: StoredImage[] = []
    for (const base64 of printed) {
      const image = await images.store(base64)
      if (image) stored.push(image)
    }
    return stored
  }
  const keepLine = async (parsed: ParsedLine) => {
    measures.addLine(parsed)
    for (const turn of parsed.turns) await keep(turn)
  }
  const addLine = async (line: string) => {
    await keepLine(parser.line(line))
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
      await keepLine(parser.end())
      await writer.finish()
      const { segments } = writer
      const { details, ...amounts } = price(measures.readUsage())
      return {
        measures: { ...measures.readTools(lines.skipped()), ...amounts },
        reportedUsage: details.models.length > 0 || details.atLeast !== null ? details : null,
        segments,
        ...readUnread(),
      }
    },
  }
}

/** How far the clock of a container or a client may be from this one. */
const toleranceMs = 60_000

/**
 * The time of a turn: the one that the client printed, if the turn can have happened then. A resumed or replayed session
 * prints turns of earlier days, which would stand between those of now.
 */
function timeOf(printed: string | null, openedAt: number) {
  const at = printed === null ? Number.NaN : Date.parse(printed)
  const isPossible = at >= openedAt - toleranceMs && at <= Date.now() + toleranceMs
  return printed !== null && isPossible ? toSixDigits(printed) : toInstant(new Date())
}

const withoutPrices = (report: UsageReport) => priceUsage(report, {}, null)

const cutShort: ParsedTurn = {
  ts: null,
  role: 'system',
  kind: 'message',
  text: 'The agent printed more than a transcript can store; the rest is not stored.',
}

/** Makes the text well formed last: an agent can print half a surrogate pair, and a cut can leave one. */
const cut = (text: string) =>
  (text.length > maxTurnCharacters ? `${text.slice(0, maxTurnCharacters)}\n[cut]` : text).toWellFormed()
