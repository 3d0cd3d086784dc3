import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { LRUCache } from 'lru-cache'

import type { Version } from './watch-changes.ts'

/** A response as it is sent. It is built once for everyone who asks at the same version. */
export type PollResponse = { bytes: Buffer; etag: string; gzipped: () => Promise<Buffer> }

type CacheEntry = { version: Version; response: Promise<PollResponse>; size: number }

const maxBytes = 32 * 1024 * 1024
const maxResponses = 5000
const gzipped = promisify(gzip)

/**
 * Caches responses by key and evicts the one built least recently. `key` must contain everything that a response
 * depends on.
 */
export function createResponseCache() {
  const entries = new LRUCache<string, CacheEntry>({
    max: maxResponses,
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size + 1,
  })

  /** `make` reads the database after `version` was determined, so its response shows that version or a later one. */
  return async (key: string, version: Version, make: () => Promise<Buffer>): Promise<PollResponse> => {
    // `peek`, because a read must not make an entry younger.
    const known = entries.peek(key)
    if (known && known.version.serial >= version.serial) return known.response
    const entry: CacheEntry = { version, response: make().then(toPollResponse), size: 0 }
    entries.set(key, entry)
    try {
      const response = await entry.response
      if (entries.peek(key) === entry) entries.set(key, { ...entry, size: response.bytes.length })
      return response
    } catch (error) {
      if (entries.peek(key) === entry) entries.delete(key)
      throw error
    }
  }
}

function toPollResponse(bytes: Buffer): PollResponse {
  let packed: Promise<Buffer> | undefined
  return {
    bytes,
    etag: `W/"${createHash('sha1').update(bytes).digest('base64')}"`,
    gzipped: () => (packed ??= gzipped(bytes, { level: 1 })),
  }
}
