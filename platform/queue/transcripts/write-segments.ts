import { someAtOnce } from '#platform/ground/blobs/some-at-once.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { retryDuringOutages } from '#platform/ground/failures/retry-during-outages.ts'
import { readOutage } from '#platform/ground/failures/outage.ts'
import { recordSegments } from './record-segments.ts'
import { countTurns, keysOf, type RunAttempt, type Segment, segmentKey, sum } from './segments.ts'
import { publishTranscript, type TranscriptCounts } from './store.ts'

const flushTurns = 500
const flushBytes = 1024 * 1024

/** Malformed lines, and all that the format does not know. */
export type UnreadLines = Pick<TranscriptCounts, 'skippedMalformed' | 'unknownLines'>

/** Turns as JSON lines. `imageKeys` are the blobs of images that no turn before had. */
type BufferedTurns = Pick<Segment, 'turnCount' | 'reasoningTurnCount' | 'imageKeys'> & { lines: Uint8Array }

type Options = {
  flushAfterMs: number
  /** Returns the lines that could not be read so far. Written with every flush. */
  readUnread: () => UnreadLines
  /** Aborts when writing has to stop. */
  abandoned: AbortSignal
}

/**
 * Collects turns and writes them in segments: after a second, 500 turns or 1 MiB. The blob is written first, then the
 * row that names it, so a reader never finds a row without its blob. While the agent runs, rows can wait for a database
 * that is down; the agent does not wait.
 */
export function writeSegments(services: Pick<Services, 'db' | 'blobs'>, run: RunAttempt, options: Options) {
  const { flushAfterMs, readUnread, abandoned } = options
  const segments: Segment[] = []
  let published = 0
  let mayBePublished = false
  let isLost = false
  let buffered: BufferedTurns[] = []
  let working: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const store = async () => {
    stopTimer()
    if (buffered.length === 0 || isLost) return
    const turns = buffered
    buffered = []
    const segment = describeSegment(run, turns, segments.at(-1)?.lastSeq ?? 0)
    const bytes = Buffer.concat(turns.map(({ lines }) => lines))
    await retryDuringOutages(() => services.blobs.put(segment.blobKey, bytes), abandoned)
    segments.push(segment)
  }
  const publish = async () => {
    const unpublished = segments.slice(published)
    // Even if the answer is lost, the rows may be there.
    mayBePublished = true
    if (isLost || (await publishSegments(services.db, run, { segments, unpublished, unread: readUnread() }))) {
      published += unpublished.length
      return
    }
    isLost = true
    segments.splice(published)
    await someAtOnce(keysOf(unpublished), (key) => services.blobs.delete(key))
  }
  /** Runs work in sequence. A failure reaches its caller and does not stop later work. */
  const inTurn = (work: () => Promise<void>) => {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }
  const flush = () =>
    inTurn(async () => {
      await store()
      await publish().catch((error: unknown) => {
        if (readOutage(error) === null) throw error
        flushSoon()
      })
    })
  const flushSoon = () => (timer ??= setTimeout(() => void flush().catch(() => {}), flushAfterMs))

  const publishNow = () =>
    inTurn(async () => {
      await retryDuringOutages(publish, abandoned)
      stopTimer()
    })

  return {
    segments,
    /** Stores the remaining turns. They can be read within a second, or as soon as the run is settled. */
    finish: () =>
      inTurn(async () => {
        await store()
        flushSoon()
      }),
    /** Publishes what is stored, even an empty transcript. */
    publishNow,
    /**
     * Leaves `segments` to the code that settles the run, and returns whether some of them may already be published. Publishes
     * all if the run is abandoned, because then nobody settles it.
     */
    async handOver() {
      await inTurn(async () => stopTimer())
      if (abandoned.aborted) await publishNow()
      return mayBePublished && !isLost
    },
    append: (turns: BufferedTurns) => void buffered.push(turns),
    async flushWhenDue() {
      if (turnsIn(buffered) >= flushTurns || sizeOf(buffered) >= flushBytes) await flush()
      else if (buffered.length > 0) flushSoon()
    },
  }
}

const sizeOf = (turns: readonly BufferedTurns[]) => sum(turns.map(({ lines }) => lines.byteLength))
const turnsIn = (turns: readonly BufferedTurns[]) => sum(turns.map(({ turnCount }) => turnCount))

function describeSegment(run: RunAttempt, turns: readonly BufferedTurns[], after: number): Segment {
  const firstSeq = after + 1
  const turnCount = turnsIn(turns)
  const lastSeq = after + turnCount
  return {
    firstSeq,
    lastSeq,
    turnCount,
    reasoningTurnCount: sum(turns.map(({ reasoningTurnCount }) => reasoningTurnCount)),
    blobKey: segmentKey(run, firstSeq, lastSeq),
    imageKeys: turns.flatMap(({ imageKeys }) => imageKeys),
    bytes: sizeOf(turns),
  }
}

type Publication = { segments: readonly Segment[]; unpublished: readonly Segment[]; unread: UnreadLines }

/** Returns false and writes nothing if the worker no longer holds the run. */
function publishSegments(db: Services['db'], run: RunAttempt, { segments, unpublished, unread }: Publication) {
  return db.transaction(async (tx) => {
    const isHeld = await publishTranscript(tx, run, { ...countTurns(segments), ...unread })
    if (isHeld) await recordSegments(tx, [{ run, segments: unpublished }])
    return isHeld
  })
}
