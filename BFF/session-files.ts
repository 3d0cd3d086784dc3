import { createHash, hkdfSync, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { seal, unseal } from './seal-session.ts'

const StoredSession = z.object({ apiKey: z.string(), person: z.string(), startedAt: z.number() })
type StoredSession = z.infer<typeof StoredSession>

const digest = (text: string) => createHash('sha256').update(text).digest()
const personTagBytes = 32

/** Only the session's id opens its file, and only the browser's cookie has that id: the disk alone reveals no API key. */
const keyOf = (id: string) => Buffer.from(hkdfSync('sha256', id, '', 'assay/session', 32))

/**
 * The sessions on disk: one file each, named by a hash of the session's id, sealed with a key derived from the id.
 * A file starts with a hash of its person, so that a person's sessions can be found without opening them.
 * The file's modification time is the time of last use.
 */
export function openSessionFiles(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const nameOf = (id: string) => digest(id).toString('base64url')
  const pathOf = (id: string) => join(folder, nameOf(id))
  const paths = () => readdirSync(folder).map((name) => join(folder, name))

  return {
    /** The session and when it was last used, or null if this id opens none. */
    read(id: string): (StoredSession & { usedAt: number }) | null {
      const path = pathOf(id)
      const bytes = readOrNull(path)
      const text = bytes && unseal(keyOf(id), nameOf(id), bytes.subarray(personTagBytes))
      return text ? { ...StoredSession.parse(JSON.parse(text)), usedAt: statSync(path).mtimeMs } : null
    },

    /** Written whole or not at all. */
    write(id: string, session: StoredSession) {
      const { apiKey, person, startedAt } = session
      const sealed = seal(keyOf(id), nameOf(id), JSON.stringify({ apiKey, person, startedAt }))
      const draft = join(folder, `.${randomUUID()}`)
      try {
        writeFileSync(draft, Buffer.concat([digest(person), sealed]), { mode: 0o600 })
        renameSync(draft, pathOf(id))
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
    },

    markUsed(id: string, at: number) {
      utimesSync(pathOf(id), at / 1000, at / 1000)
    },

    remove(id: string) {
      rmSync(pathOf(id), { force: true })
    },

    removeAllOfPerson(person: string) {
      const tag = digest(person)
      for (const path of paths()) {
        if (readOrNull(path)?.subarray(0, personTagBytes).equals(tag)) rmSync(path, { force: true })
      }
    },

    removeUnusedSince(moment: number) {
      for (const path of paths()) {
        const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
        if (usedAt !== undefined && usedAt < moment) rmSync(path, { force: true })
      }
    },
  }
}

function readOrNull(path: string) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
