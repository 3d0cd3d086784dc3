import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'

import type { Blobs } from '#platform/ground/blobs/blobs.ts'
import type { RunAttempt } from '#platform/queue/transcripts/segments.ts'

/** Where a content is: its pack, and its place in the unpacked pack. */
export type Place = { pack: number; start: number; length: number }

/** Many small files share a blob; a reader of one file does not unpack all of them. */
const packBytes = 1024 ** 2

const unzip = promisify(gunzip)

/** Every attempt of a run has keys of its own, so a worker that lost its lease cannot change what a later one wrote. */
const keyOf = ({ runId, attempt }: RunAttempt, name: string) => `changes/${runId}/${attempt}/${name}.gz`

export const packKey = (run: RunAttempt, pack: number) => keyOf(run, String(pack))
export const manifestKey = (run: RunAttempt) => keyOf(run, 'manifest')

/** The zipped content of one blob with changes: a pack, or at the end the manifest. */
export type ChangesPart = { pack: number | 'manifest'; bytes: Uint8Array }

export const partKey = (run: RunAttempt, { pack }: ChangesPart) => keyOf(run, String(pack))

export const toPart = (pack: ChangesPart['pack'], content: Uint8Array): ChangesPart => ({
  pack,
  bytes: gzipSync(content),
})

/** Null when there is no such blob. */
export async function getZipped(blobs: Blobs, key: string): Promise<Buffer | null> {
  const bytes = await blobs.get(key)
  return bytes && unzip(bytes)
}

/** Collects contents into packs. Call `end` after the last content. */
export function packFiles() {
  let pack = 0
  let size = 0
  let parts: Uint8Array[] = []
  const flush = (): ChangesPart[] => {
    if (parts.length === 0) return []
    const full = toPart(pack, Buffer.concat(parts))
    pack += 1
    size = 0
    parts = []
    return [full]
  }
  return {
    /** Returns where the content is, and the pack that it did not fit in. */
    add(content: Uint8Array): { place: Place; full: ChangesPart[] } {
      const full = size > 0 && size + content.byteLength > packBytes ? flush() : []
      const place = { pack, start: size, length: content.byteLength }
      // An empty content needs a pack too, so that its place exists.
      parts.push(content)
      size += content.byteLength
      return { place, full }
    },
    end: flush,
  }
}
