import { randomBytes } from 'node:crypto'

import { type About, openSessionFiles, sessionName } from './session-files.ts'

/** `person` is the platform's id of the key's owner. Several keys may belong to one person. */
export type Identity = { apiKey: string; person: string }

type Session = Identity & { startedAt: number; usedAt: number; savedAt: number }
type Settings = { sessionIdleMs: number; sessionMaxMs: number; sessionsFolder: string }

/** The idle time in milliseconds that a session can lose when the process is killed. */
const saveUseEveryMs = 60_000

export type Sessions = ReturnType<typeof createSessions>

/**
 * The signed-in sessions, in memory and in encrypted files, so that a restart signs nobody out. `onFault` is called if
 * a file cannot be read or written; a session without a file lasts until the process ends.
 */
export function createSessions(settings: Settings, onFault: (error: unknown) => void = () => {}) {
  const { sessionIdleMs, sessionMaxMs, sessionsFolder } = settings
  const sessions = new Map<string, Session>()
  const files = openSessionFiles(sessionsFolder)
  // A file that cannot be removed must not restore its session.
  const endedIds = new Set<string>()
  const endedPeople = new Map<string, number>()

  const attempt = <Result>(work: () => Result) => {
    try {
      return work()
    } catch (error) {
      onFault(error)
      return null
    }
  }

  const isOver = (session: Session, now: number) =>
    now - session.usedAt > sessionIdleMs || now - session.startedAt > sessionMaxMs

  const forget = (id: string) => {
    const wasKnown = sessions.delete(id)
    const isRemoved = attempt(() => (files.remove(id), true))
    if (wasKnown && !isRemoved) endedIds.add(id)
  }

  const load = (id: string) => {
    const stored = endedIds.has(id) ? null : attempt(() => files.read(id))
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

  forgetEnded()

  return {
    start(identity: Identity, from: Pick<About, 'browser' | 'address'>) {
      forgetEnded()
      const now = Date.now()
      const id = randomBytes(32).toString('base64url')
      const session = { ...identity, startedAt: now, usedAt: now, savedAt: now }
      sessions.set(id, session)
      attempt(() => files.write(id, { ...session, ...from }))
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

    /** The sessions of the same person, the last used first; null without a session. */
    listOwn(id: string | undefined) {
      const person = id && find(id)?.person
      if (!id || !person) return null
      const now = Date.now()
      const inUse = new Map([...sessions].map(([other, { usedAt }]) => [sessionName(other), usedAt]))
      const stored = attempt(() => files.listOfPerson(person)) ?? []
      return stored
        .map((each) => ({ ...each, usedAt: Math.max(each.usedAt, inUse.get(each.name) ?? 0) }))
        .filter(({ usedAt, startedAt }) => now - usedAt <= sessionIdleMs && now - startedAt <= sessionMaxMs)
        .sort((a, b) => b.usedAt - a.usedAt)
        .map((each) => ({ ...each, isCurrent: each.name === sessionName(id) }))
    },

    /** Ends one session of the same person by its name. Returns false if there is none. */
    endOwn(id: string | undefined, name: string) {
      const person = id && find(id)?.person
      if (!person) return false
      const known = [...sessions].find(([other, each]) => each.person === person && sessionName(other) === name)
      if (known) forget(known[0])
      const isRemoved = attempt(() => files.removeOfPerson(person, name))
      if (isRemoved === null && !known) throw new Error('The file of the session could not be removed')
      return isRemoved === true || known !== undefined
    },

    /** Ends every session of the same person, whatever key each was started with. */
    endAllOfPerson(id: string | undefined) {
      const person = id && find(id)?.person
      if (!person) return
      for (const [other, session] of sessions) if (session.person === person) sessions.delete(other)
      if (!attempt(() => (files.removeAllOfPerson(person), true))) endedPeople.set(person, Date.now())
    },
  }
}
