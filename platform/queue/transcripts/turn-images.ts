import { createHash } from 'node:crypto'

import { type ImageType, imageTypes } from '#contract/report-images.ts'
import type { TurnImage } from '#contract/transcript-images.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { runs } from '#platform/ground/database/tables/runs.ts'
import { cleanImage } from '#platform/ground/image-formats/clean-image.ts'
import type { RunAttempt } from './segments.ts'

/** Of one transcript. An image beyond them is named in its turn and not stored. */
const mostImages = 100
const mostBytes = 50_000_000
/** What is decoded to find out whether it is an image. */
const mostTries = 500

export const turnImageKey = ({ runId, attempt }: RunAttempt, imageId: string) =>
  `transcripts/${runId}/${attempt}/images/${imageId}`

/** An image of a turn without metadata, as it is stored. */
export type FoundImage = { image: TurnImage; bytes: Uint8Array }

/**
 * Finds the images of a transcript by their content, without metadata, within limits. The content decides whether it is
 * a PNG, JPEG, WebP or GIF image, never what the agent calls it. `isNew`: whether no turn before had it.
 */
export function imageFinder() {
  const known = new Set<string>()
  let bytesFound = 0
  let tries = 0

  const decode = (base64: string) => {
    if (tries >= mostTries || base64.length > (limits.imageBytes / 3) * 4 + 100) return null
    tries += 1
    try {
      return cleanImage(Buffer.from(base64, 'base64'))
    } catch {
      return null
    }
  }
  /** Null if it is no image, or if the transcript has too many of them. */
  return (base64: string): { found: FoundImage; isNew: boolean } | null => {
    const clean = decode(base64)
    if (!clean) return null
    const { type, width, height, bytes } = clean
    const id = `${createHash('sha256').update(bytes).digest('hex')}.${type.slice('image/'.length)}`
    const found = { image: { id, type, width, height, sizeBytes: bytes.byteLength }, bytes }
    if (known.has(id)) return { found, isNew: false }
    if (known.size >= mostImages || bytesFound + bytes.byteLength > mostBytes) return null
    known.add(id)
    bytesFound += bytes.byteLength
    return { found, isNew: true }
  }
}

type TranscribedRun = Pick<typeof runs.$inferSelect, 'id' | 'attempt' | 'transcriptPublished'>

/** Reads a stored image; null if there is none, or if the transcript is not readable. */
export async function readTurnImage(
  { blobs }: Pick<Services, 'blobs'>,
  run: TranscribedRun,
  imageId: string,
): Promise<{ type: ImageType; bytes: Uint8Array } | null> {
  const type = imageTypes.find((type) => imageId.endsWith(`.${type.slice('image/'.length)}`))
  if (!run.transcriptPublished || !type) return null
  const bytes = await blobs.get(turnImageKey({ runId: run.id, attempt: run.attempt }, imageId))
  return bytes && { type, bytes }
}
