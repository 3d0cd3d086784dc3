import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { seal, unseal } from './seal-session.ts'
import { digest, keyOf, keyOfPerson, sessionName } from './session-keys.ts'

const StoredSession = z.object({ apiKey: z.string(), person: z.string(), startedAt: z.number() })
type StoredSession = z.infer<typeof StoredSession>

/** What a person sees of their other sessions. */
const About = z.object({ browser: z.string(), address: z.string(), startedAt: z.number() })
export type About = z.infer<typeof About>
export type ListedSession = About & { name: string; usedAt: number }

const personTagBytes = 32
const lengthBytes = 4
const nameShape = /^[\w-]{43}$/

/** A file: the hash of its person, the length of its description, the description, and the session. */
function split(bytes: Buffer) {
  const start = personTagBytes + lengthBytes
  if (bytes.byteLength < start) return null
  const end = start + bytes.readUInt32BE(personTagBytes)
  return { tag: bytes.subarray(0, personTagBytes), about: bytes.subarray(start, end), session: bytes.subarray(end) }
}

/**
 * The sessions on disk: one file each, named by a hash of the session's id, sealed with a key derived from the id.
 * A file starts with a hash of its person, so that a person's sessions can be found without opening them. The
 * description of a session opens with the id of its person.
 * The file's modification time is the time of last use.
 */
export function openSessionFiles(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (id: string) => join(folder, sessionName(id))
  const paths = () => readdirSync(folder).map((name) => join(folder, name))

  return {
    /** The session and when it was last used, or null if this id opens none. */
    read(id: string): (StoredSession & About & { usedAt: number }) | null {
      const path = pathOf(id)
      const bytes = readOrNull(path)
      const parts = bytes && split(bytes)
      const text = parts && unseal(keyOf(id), sessionName(id), parts.session)
      if (!text) return null
      const session = StoredSession.parse(JSON.parse(text))
      const about = unseal(keyOfPerson(session.person), sessionName(id), parts.about)
      return about ? { ...About.parse(JSON.parse(about)), ...session, usedAt: statSync(path).mtimeMs } : null
    },

    /** Written whole or not at all. */
    write(id: string, session: StoredSession & About) {
      const { apiKey, person, startedAt, browser, address } = session
      const sealed = seal(keyOf(id), sessionName(id), JSON.stringify({ apiKey, person, startedAt }))
      const about = seal(keyOfPerson(person), sessionName(id), JSON.stringify({ browser, address, startedAt }))
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(about.byteLength)
      const draft = join(folder, `.${randomUUID()}`)
      try {
        writeFileSync(draft, Buffer.concat([digest(person), length, about, sealed]), { mode: 0o600 })
        renameSync(draft, pathOf(id))
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
    },

    markUsed(id: string, at: number) {
      utimesSync(pathOf(id), at / 1000, at / 1000)
    },

    remove(name: string) {
      rmSync(join(folder, name), { force: true })
    },

    listOfPerson(person: string): ListedSession[] {
      const tag = digest(person)
      const key = keyOfPerson(person)
      return readdirSync(folder).flatMap((name) => {
        const path = join(folder, name)
        const bytes = nameShape.test(name) ? readOrNull(path) : null
        const parts = bytes && split(bytes)
        const text = parts?.tag.equals(tag) && unseal(key, name, parts.about)
        const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
        return text && usedAt !== undefined ? [{ ...About.parse(JSON.parse(text)), name, usedAt }] : []
      })
    },

    /** Returns false if the person has no such session. */
    removeOfPerson(person: string, name: string) {
      const path = join(folder, name)
      const bytes = nameShape.test(name) ? readOrNull(path) : null
      if (!bytes?.subarray(0, personTagBytes).equals(digest(person))) return false
      rmSync(path, { force: true })
      return true
    },

    /** Removes the person's files, except the one named `kept`. Throws after the last file if some failed. */
    removeAllOfPerson(person: string, kept?: string) {
      const tag = digest(person)
      const faults: unknown[] = []
      for (const name of readdirSync(folder)) {
        if (!nameShape.test(name) || name === kept) continue
        const path = join(folder, name)
        try {
          if (readOrNull(path)?.subarray(0, personTagBytes).equals(tag)) rmSync(path, { force: true })
        } catch (error) {
          faults.push(error)
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, 'Some session files could not be read or removed')
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
