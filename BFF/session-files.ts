import { randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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
  return { about: bytes.subarray(start, end), session: bytes.subarray(end) }
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
  /** The hash of the person of each file by its name. A file never changes its person, so it is read once. */
  const tags = new Map<string, string>()

  const tagOf = (name: string) => {
    const known = tags.get(name)
    if (known !== undefined) return known
    const tag = readStart(join(folder, name))?.toString('hex')
    if (tag !== undefined) tags.set(name, tag)
    return tag
  }

  const names = () => {
    const present = readdirSync(folder).filter((name) => nameShape.test(name))
    const isPresent = new Set(present)
    for (const name of tags.keys()) if (!isPresent.has(name)) tags.delete(name)
    return present
  }

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
      const tag = digest(person).toString('hex')
      const key = keyOfPerson(person)
      return names().flatMap((name) => {
        if (tagOf(name) !== tag) return []
        const path = join(folder, name)
        const bytes = readOrNull(path)
        const parts = bytes && split(bytes)
        const text = parts && unseal(key, name, parts.about)
        const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
        return text && usedAt !== undefined ? [{ ...About.parse(JSON.parse(text)), name, usedAt }] : []
      })
    },

    /** Returns false if the person has no such session. */
    removeOfPerson(person: string, name: string) {
      if (!nameShape.test(name) || tagOf(name) !== digest(person).toString('hex')) return false
      const path = join(folder, name)
      if (!statSync(path, { throwIfNoEntry: false })) return false
      rmSync(path, { force: true })
      return true
    },

    /** Removes the person's files, except the one named `kept`. Throws after the last file if some failed. */
    removeAllOfPerson(person: string, kept?: string) {
      const tag = digest(person).toString('hex')
      const faults: unknown[] = []
      for (const name of names()) {
        if (name === kept) continue
        try {
          if (tagOf(name) === tag) rmSync(join(folder, name), { force: true })
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

const readOrNull = (path: string) => orNull(() => readFileSync(path))

/** The hash of the person of a file, or null if there is no such file. */
const readStart = (path: string) =>
  orNull(() => {
    const file = openSync(path, 'r')
    try {
      const start = Buffer.alloc(personTagBytes)
      return readSync(file, start) === personTagBytes ? start : null
    } finally {
      closeSync(file)
    }
  })

function orNull<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
