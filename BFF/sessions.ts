import { randomBytes } from 'node:crypto'

import { type About, type ListedSession, openSessionFiles } from './session-files.ts'
import { sessionName } from './session-keys.ts'

/** `person` is the platform's id of the key's owner. Several keys may belong to one person. */
export type Identity = { apiKey: string; person: string }

type Session = Identity & About & { usedAt: number; savedAt: number }
type Settings = { sessionIdleMs: number; sessionMaxMs: number; sessionsFolder: string; maxSessionsPerPerson?: number }

/** The idle time in milliseconds that a session can lose when the process is killed. */
const saveUseEveryMs = 60_000

/**
 * The signed-in sessions, in memory and in encrypted files, so that a restart signs nobody out. `onFault` is called if
 * a file cannot be read or written; a session without a file lasts until the process ends.
 */
export function createSessions(settings: Settings, onFault: (error: unknown) => void = () => {}) {
  const { sessionIdleMs, sessionMaxMs, sessionsFolder, maxSessionsPerPerson = 100 } = settings
  const sessions = new Map<string, Session>()
  const files = openSessionFiles(sessionsFolder)
  // A file that cannot be removed must not restore its session.
  const endedNames = new Set<string>()
  const endedPeople = new Map<string, number>()

  const attempt = <Result>(work: () => Result) => {
    try {
      return work()
    } catch (error) {
      onFault(error)
      return null
    }
  }

  const isOver = (session: Pick<Session, 'startedAt' | 'usedAt'>, now: number) =>
    now - session.usedAt > sessionIdleMs || now - session.startedAt > sessionMaxMs

  const forget = (id: string) => {
    const name = sessionName(id)
    const wasKnown = sessions.delete(id)
    const isRemoved = attempt(() => (files.remove(name), true))
    if (wasKnown && !isRemoved) endedNames.add(name)
  }

  const load = (id: string) => {
    const stored = endedNames.has(sessionName(id)) ? null : attempt(() => files.read(id))
    if (!stored || stored.startedAt <= (endedPeople.get(stored.person) ?? -1)) return undefined
    const session = { ...stored, savedAt: stored.usedAt }
    sessions.set(id, session)
    return session
  }

  const find = (id: string) => {
    const session = sessions.get(id) ?? load(id)
    if (!session || !isOver(session, Date.now())) return session
    forget(id)
    return undefined
  }

  const markUsed = (id: string, session: Session) => {
    const now = Date.now()
    session.usedAt = now
    if (now - session.savedAt < saveUseEveryMs) return
    session.savedAt = now
    attempt(() => files.markUsed(id, now))
  }

  const forgetEnded = () => {
    const now = Date.now()
    for (const [id, session] of sessions) if (isOver(session, now)) sessions.delete(id)
    attempt(() => files.removeUnusedSince(now - sessionIdleMs - saveUseEveryMs))
  }

  const idsOf = (person: string) =>
    new Map([...sessions].flatMap(([id, each]) => (each.person === person ? [[sessionName(id), id] as const] : [])))

  /** The person's sessions in files and in memory: one whose file could not be written is only in memory. */
  const withMemory = (stored: ListedSession[], ids: Map<string, string>) => {
    const own = new Map(stored.map((each) => [each.name, each]))
    for (const [name, id] of ids) {
      const session = sessions.get(id)
      if (!session) continue
      const { browser, address, startedAt, usedAt } = session
      own.set(name, { name, browser, address, startedAt, usedAt })
    }
    const now = Date.now()
    return [...own.values()].filter((each) => !isOver(each, now))
  }

  const makeRoomFor = (person: string) => {
    const ids = idsOf(person)
    const own = withMemory(attempt(() => files.listOfPerson(person)) ?? [], ids)
    for (const { name } of own.sort((a, b) => b.startedAt - a.startedAt).slice(maxSessionsPerPerson - 1)) {
      const id = ids.get(name)
      if (id) sessions.delete(id)
      if (!attempt(() => (files.remove(name), true))) endedNames.add(name)
    }
  }

  /** Returns false if a file could not be read or removed. Its session has ended, but may return after a restart. */
  const endOfPerson = (person: string, kept?: string) => {
    for (const [id, each] of sessions) if (each.person === person && id !== kept) sessions.delete(id)
    const isRemoved = attempt(() => (files.removeAllOfPerson(person, kept && sessionName(kept)), true)) ?? false
    if (!isRemoved) endedPeople.set(person, Date.now())
    return isRemoved
  }

  forgetEnded()

  return {
    /** Ends the oldest session of a person who has too many. */
    start(identity: Identity, from: Pick<About, 'browser' | 'address'>) {
      forgetEnded()
      makeRoomFor(identity.person)
      const now = Date.now()
      const id = randomBytes(32).toString('base64url')
      const session = { ...identity, ...from, startedAt: now, usedAt: now, savedAt: now }
      sessions.set(id, session)
      attempt(() => files.write(id, session))
      return id
    },

    /**
     * Returns the session's key. This counts as use, except for a request the page makes on its own (`isBackground`).
     */
    findKey(id: string | undefined, { isBackground = false } = {}) {
      const session = id ? find(id) : undefined
      if (id && session && !isBackground) markUsed(id, session)
      return session?.apiKey
    },

    end(id: string | undefined) {
      if (!id) return
      find(id)
      forget(id)
    },

    /** The sessions of the same person, the last used first. Throws if a file cannot be read. */
    listOwn(id: string | undefined) {
      const person = id && find(id)?.person
      if (!id || !person) return []
      const current = sessionName(id)
      return withMemory(files.listOfPerson(person), idsOf(person))
        .sort((a, b) => b.usedAt - a.usedAt)
        .map((each) => ({ ...each, isCurrent: each.name === current }))
    },

    /** Ends one session of the same person by its name. Returns false if there is none. */
    endOwn(id: string | undefined, name: string) {
      const person = id && find(id)?.person
      if (!person) return false
      const known = idsOf(person).get(name)
      if (known) forget(known)
      const isRemoved = attempt(() => files.removeOfPerson(person, name))
      if (isRemoved === null && !known) throw new Error('The file of the session could not be removed')
      return isRemoved === true || known !== undefined
    },

    /** Ends every other session of the same person. Throws if one may return after a restart. */
    endOthers(id: string | undefined) {
      const person = id && find(id)?.person
      if (person && !endOfPerson(person, id)) throw new Error('Some session files could not be removed')
    },

    /** Ends every session of the same person, whatever key each was started with. */
    endAllOfPerson(id: string | undefined) {
      const person = id && find(id)?.person
      if (person) endOfPerson(person)
    },
  }
}
