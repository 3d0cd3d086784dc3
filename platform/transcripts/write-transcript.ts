import { and, eq } from 'drizzle-orm'

import type { TranscriptFormat } from '#contract/definition.ts'
import type { Turn } from '#contract/runs.ts'
import type { Services } from '#platform/context.ts'
import { runs } from '#platform/runs/tables.ts'
import { createMeasures, type TranscriptMeasures } from './measure-transcript.ts'
import { createLineParser, type ParsedTurn } from './parsers/line-parser.ts'
import { insertSegments, type RunAttempt, type Segment, segmentKey } from './segments.ts'
import { splitLines } from './split-lines.ts'

export type TranscriptEnd = { measures: TranscriptMeasures; segments: Segment[]; skippedMalformed: number }

export type TranscriptWriter = {
  /** Takes in what the agent printed; settles when it may print more. */
  write: (chunk: Uint8Array) => Promise<void>
  /** Writes what is left and publishes the transcript, even an empty one. */
  close: () => Promise<TranscriptEnd>
}

type Options = { format: TranscriptFormat; onTurn?: (turn: Turn) => void; flushAfterMs?: number }

const flushTurns = 500
const flushBytes = 1024 * 1024
const largestTurnCharacters = 4 * 1024 * 1024
/** An agent that prints without end must not fill the disk. */
const largestTranscriptBytes = 256 * 1024 * 1024

/**
 * Turns an agent's output into transcript segments, each flushed after a second, 500 turns or 1 MiB, so the conversation
 * can be read while it goes on and survives a kill. A worker that has lost its attempt writes nothing more.
 */
export function writeTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: RunAttempt,
  { format, onTurn, flushAfterMs = 1000 }: Options,
): TranscriptWriter {
  const lines = splitLines()
  const parse = createLineParser(format)
  const measures = createMeasures(format)
  const segments: Segment[] = []
  let buffered: { line: Buffer; reasoning: boolean }[] = []
  let bufferedBytes = 0
  let totalBytes = 0
  let seq = 0
  let malformed = 0
  let flushing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const append = (parsed: ParsedTurn) => {
    if (totalBytes > largestTranscriptBytes) return
    seq += 1
    const turn: Turn = { seq, ...parsed, ts: parsed.ts ?? new Date().toISOString(), text: cut(parsed.text) }
    onTurn?.(turn)
    const line = Buffer.from(`${JSON.stringify(turn)}\n`)
    buffered.push({ line, reasoning: turn.kind === 'reasoning' })
    bufferedBytes += line.byteLength
    totalBytes += line.byteLength
    if (totalBytes > largestTranscriptBytes) append(cutShort)
  }

  const flushNow = async () => {
    clearTimeout(timer)
    timer = undefined
    const turns = buffered
    buffered = []
    bufferedBytes = 0
    const skippedMalformed = malformed + lines.skipped()
    const lastSeq = (segments.at(-1)?.lastSeq ?? 0) + turns.length
    try {
      await flushSegment(services, run, { turns, lastSeq, segments, skippedMalformed })
    } catch (error) {
      buffered = [...turns, ...buffered]
      throw error
    }
  }
  const flush = () => {
    const next = flushing.then(flushNow)
    // A failed flush must reach whoever awaits it, and not stop the ones after it.
    flushing = next.catch(() => {})
    return next
  }

  const take = async (line: string) => {
    const parsed = parse(line)
    if (parsed.malformed) malformed += 1
    if (parsed.usage) measures.addUsage(parsed.usage)
    for (const turn of parsed.turns) {
      measures.addTurn(turn)
      append(turn)
    }
    if (buffered.length >= flushTurns || bufferedBytes >= flushBytes) await flush()
    else if (buffered.length > 0) timer ??= setTimeout(() => void flush().catch(() => {}), flushAfterMs)
  }

  return {
    async write(chunk) {
      for (const line of lines.push(chunk)) await take(line)
    },
    async close() {
      for (const line of lines.end()) await take(line)
      await flush()
      return { measures: measures.read(), segments, skippedMalformed: malformed + lines.skipped() }
    },
  }
}

const cutShort: ParsedTurn = {
  ts: null,
  role: 'system',
  kind: 'message',
  text: `The agent printed more than ${largestTranscriptBytes / 1024 / 1024} MiB; the rest is not kept.`,
}

const cut = (text: string) =>
  text.length > largestTurnCharacters ? `${text.slice(0, largestTurnCharacters)}\n[cut]` : text

type Flush = {
  turns: { line: Buffer; reasoning: boolean }[]
  lastSeq: number
  segments: Segment[]
  skippedMalformed: number
}

/** The blob first, then the row that names it: a reader never meets a row without its blob. */
async function flushSegment({ db, blobs }: Pick<Services, 'db' | 'blobs'>, run: RunAttempt, flush: Flush) {
  const { turns, lastSeq, segments, skippedMalformed } = flush
  const firstSeq = lastSeq - turns.length + 1
  const bytes = Buffer.concat(turns.map((turn) => turn.line))
  const segment: Segment = {
    firstSeq,
    lastSeq,
    turnCount: turns.length,
    reasoningTurnCount: turns.filter((turn) => turn.reasoning).length,
    blobKey: segmentKey(run, firstSeq, lastSeq),
    bytes: bytes.byteLength,
  }
  if (turns.length > 0) await blobs.put(segment.blobKey, bytes)
  const reasoningTurnCount = [...segments, segment].reduce((sum, { reasoningTurnCount }) => sum + reasoningTurnCount, 0)
  const isHeld = await db.transaction(async (tx) => {
    const held = await tx
      .update(runs)
      .set({ transcriptPublished: true, turnCount: lastSeq, reasoningTurnCount, skippedMalformed })
      .where(and(eq(runs.id, run.runId), eq(runs.attempt, run.attempt), eq(runs.status, 'running')))
      .returning({ id: runs.id })
    if (held.length > 0 && turns.length > 0) await insertSegments(tx, run, [segment])
    return held.length > 0
  })
  if (turns.length === 0) return
  if (isHeld) segments.push(segment)
  else await blobs.delete(segment.blobKey)
}
