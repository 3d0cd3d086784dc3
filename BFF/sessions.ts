import { randomBytes } from 'node:crypto'

/** `person` is the platform's id of whoever the key speaks for; several keys may be one person's. */
export type Identity = { apiKey: string; person: string }

type Session = Identity & { startedAt: number; usedAt: number }
type Times = { sessionIdleMs: number; sessionMaxMs: number }

export type Sessions = ReturnType<typeof createSessions>

/** Who is signed in. Kept in memory only: a restart signs everyone out, and no key is ever on disk. */
export function createSessions({ sessionIdleMs, sessionMaxMs }: Times) {
  const sessions = new Map<string, Session>()

  const isOver = (session: Session, now: number) =>
    now - session.usedAt > sessionIdleMs || now - session.startedAt > sessionMaxMs

  const find = (id: string | undefined) => {
    const session = id === undefined ? undefined : sessions.get(id)
    if (!id || !session) return undefined
    if (!isOver(session, Date.now())) return session
    sessions.delete(id)
    return undefined
  }

  return {
    start(identity: Identity) {
      const now = Date.now()
      for (const [id, session] of sessions) if (isOver(session, now)) sessions.delete(id)
      const id = randomBytes(32).toString('base64url')
      sessions.set(id, { ...identity, startedAt: now, usedAt: now })
      return id
    },

    /** The session's key; asking counts as use. */
    findKey(id: string | undefined) {
      const session = find(id)
      if (session) session.usedAt = Date.now()
      return session?.apiKey
    },

    end(id: string | undefined) {
      if (id !== undefined) sessions.delete(id)
    },

    /** Ends every session of the person this one belongs to, with whichever key each was started. */
    endAllOfPerson(id: string | undefined) {
      const person = find(id)?.person
      if (person === undefined) return
      for (const [other, session] of sessions) if (session.person === person) sessions.delete(other)
    },
  }
}
