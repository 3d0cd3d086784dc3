import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Version } from './watch-changes.ts'

/** A response as it is sent. It is built once for everyone who asks at the same version. */
export type PollResponse = { text: string; etag: string; gzipped: () => Promise<Buffer> }

type CacheEntry = { version: Version; answer: Promise<PollResponse>; characters: number }

const maxCharacters = 32 * 1024 * 1024
const maxResponses = 5000
const gzipped = promisify(gzip)

/**
 * Caches responses by key and evicts the one built least recently. `key` must contain everything that a response
 * depends on.
 */
export function createResponseCache() {
  const entries = new Map<string, CacheEntry>()
  let characters = 0

  const forget = (key: string) => {
    characters -= entries.get(key)?.characters ?? 0
    entries.delete(key)
  }
  const makeRoom = () => {
    for (const key of entries.keys()) {
      if (characters <= maxCharacters && entries.size <= maxResponses) return
      forget(key)
    }
  }

  /** `make` reads the database after `version` was determined, so its response shows that version or a later one. */
  return async (key: string, version: Version, make: () => Promise<string>): Promise<PollResponse> => {
    const known = entries.get(key)
    if (known && known.version.serial >= version.serial) return known.answer
    forget(key)
    const entry: CacheEntry = { version, answer: make().then(toPollResponse), characters: 0 }
    entries.set(key, entry)
    try {
      const answer = await entry.answer
      if (entries.get(key) === entry) {
        entry.characters = answer.text.length
        characters += entry.characters
        makeRoom()
      }
      return answer
    } catch (error) {
      if (entries.get(key) === entry) forget(key)
      throw error
    }
  }
}

function toPollResponse(text: string): PollResponse {
  let packed: Promise<Buffer> | undefined
  return {
    text,
    etag: `W/"${createHash('sha1').update(text).digest('base64')}"`,
    gzipped: () => (packed ??= gzipped(text, { level: 1 })),
  }
}
