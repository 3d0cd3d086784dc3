import { and, eq } from 'drizzle-orm'

import type { Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/context.ts'
import { runs } from '#platform/runs/tables.ts'
import { insertSegments, type RunAttempt, type Segment, segmentKey } from './segments.ts'

const flushTurns = 500
const flushBytes = 1024 * 1024

type BufferedTurn = { line: Buffer; reasoning: boolean }

type Options = {
  flushAfterMs: number
  /** How many malformed lines were skipped so far; written with every flush. */
  skippedMalformed: () => number
}

/** Collects turns and writes each stretch of them as one segment: after a while, 500 turns or 1 MiB. */
export function writeSegments(
  services: Pick<Services, 'db' | 'blobs'>,
  run: RunAttempt,
  { flushAfterMs, skippedMalformed }: Options,
) {
  const segments: Segment[] = []
  let buffered: BufferedTurn[] = []
  let flushing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const flushNow = async () => {
    clearTimeout(timer)
    timer = undefined
    const turns = buffered
    buffered = []
    const lastSeq = (segments.at(-1)?.lastSeq ?? 0) + turns.length
    try {
      await flushSegment(services, run, { turns, lastSeq, segments, skippedMalformed: skippedMalformed() })
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
  return {
    segments,
    flush,
    /** Returns the bytes the turn takes. */
    append(turn: Turn) {
      const line = Buffer.from(`${JSON.stringify(turn)}\n`)
      buffered.push({ line, reasoning: turn.kind === 'reasoning' })
      return line.byteLength
    },
    async flushWhenDue() {
      if (buffered.length >= flushTurns || sizeOf(buffered) >= flushBytes) await flush()
      else if (buffered.length > 0) timer ??= setTimeout(() => void flush().catch(() => {}), flushAfterMs)
    },
  }
}

const sizeOf = (turns: readonly BufferedTurn[]) => turns.reduce((bytes, turn) => bytes + turn.line.byteLength, 0)

type Flush = {
  turns: readonly BufferedTurn[]
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
