import { Turn } from '#contract/transcripts.ts'

/** A run as held by one worker. `attempt` is the fencing token. */
export type RunAttempt = { runId: string; attempt: number }

/** The turns firstSeq … lastSeq in one blob of JSON lines. `bytes` is the size of the blob. */
export type Segment = {
  firstSeq: number
  lastSeq: number
  turnCount: number
  reasoningTurnCount: number
  blobKey: string
  /** The blobs of images that its turns were the first to have. */
  imageKeys: string[]
  bytes: number
}

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** How many turns a transcript of these segments has. */
export const countTurns = (segments: readonly Segment[]) => ({
  turnCount: segments.at(-1)?.lastSeq ?? 0,
  reasoningTurnCount: sum(segments.map((segment) => segment.reasoningTurnCount)),
})

export const segmentKey = ({ runId, attempt }: RunAttempt, firstSeq: number, lastSeq: number) =>
  `transcripts/${runId}/${attempt}/${firstSeq}-${lastSeq}.jsonl`

/** A turn and its size in bytes in the segment, which is about its size in a response. */
export type StoredTurn = { turn: Turn; bytes: number }

const lineFeed = 10

/**
 * Yields the turns of one segment and parses each only when needed, because a page may need only a few. Yields null for a
 * line that is no turn.
 */
export function* readTurns(segment: Uint8Array): Generator<StoredTurn | null> {
  const lines = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength)
  for (let start = 0; start < lines.length;) {
    const lineEnd = lines.indexOf(lineFeed, start)
    const end = lineEnd < 0 ? lines.length : lineEnd
    if (end > start) yield readTurn(lines.toString('utf8', start, end), end - start)
    start = end + 1
  }
}

function readTurn(line: string, bytes: number): StoredTurn | null {
  try {
    return { turn: Turn.parse(JSON.parse(line)), bytes }
  } catch {
    return null
  }
}

/** The blobs of segments: their turns and their images. */
export const keysOf = (segments: readonly Pick<Segment, 'blobKey' | 'imageKeys'>[]) =>
  segments.flatMap(({ blobKey, imageKeys }) => [blobKey, ...imageKeys])
