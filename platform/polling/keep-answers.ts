import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Version } from './watch-changes.ts'

/** A response as it is sent. It is built once for everyone who asks at the same version. */
export type Answer = { text: string; etag: string; gzipped: () => Promise<Buffer> }

type Kept = { version: Version; answer: Promise<Answer>; characters: number }

const maxCharacters = 32 * 1024 * 1024
const maxAnswers = 5000
const gzipped = promisify(gzip)

/**
 * Caches responses by key and evicts the one built least recently. `key` must contain everything that a response
 * depends on.
 */
export function keepAnswers() {
  const kept = new Map<string, Kept>()
  let characters = 0

  const forget = (key: string) => {
    characters -= kept.get(key)?.characters ?? 0
    kept.delete(key)
  }
  const makeRoom = () => {
    for (const key of kept.keys()) {
      if (characters <= maxCharacters && kept.size <= maxAnswers) return
      forget(key)
    }
  }

  /** `make` reads the database after `version` was determined, so its response shows that version or a later one. */
  return async (key: string, version: Version, make: () => Promise<string>): Promise<Answer> => {
    const known = kept.get(key)
    if (known && known.version.serial >= version.serial) return known.answer
    forget(key)
    const entry: Kept = { version, answer: make().then(toAnswer), characters: 0 }
    kept.set(key, entry)
    try {
      const answer = await entry.answer
      if (kept.get(key) === entry) {
        entry.characters = answer.text.length
        characters += entry.characters
        makeRoom()
      }
      return answer
    } catch (error) {
      if (kept.get(key) === entry) forget(key)
      throw error
    }
  }
}

function toAnswer(text: string): Answer {
  let packed: Promise<Buffer> | undefined
  return {
    text,
    etag: `W/"${createHash('sha1').update(text).digest('base64')}"`,
    gzipped: () => (packed ??= gzipped(text, { level: 1 })),
  }
}
