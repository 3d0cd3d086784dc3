import { randomBytes } from 'node:crypto'

type Session = { apiKey: string; startedAt: number; usedAt: number }
type Times = { sessionIdleMs: number; sessionMaxMs: number }

export type Sessions = ReturnType<typeof createSessions>

/** Who is signed in. Kept in memory only: a restart signs everyone out, and no key is ever on disk. */
export function createSessions({ sessionIdleMs, sessionMaxMs }: Times) {
  const sessions = new Map<string, Session>()

  const isOver = (session: Session, now: number) =>
    now - session.usedAt > sessionIdleMs || now - session.startedAt > sessionMaxMs

  return {
    start(apiKey: string) {
      const now = Date.now()
      for (const [id, session] of sessions) if (isOver(session, now)) sessions.delete(id)
      const id = randomBytes(32).toString('base64url')
      sessions.set(id, { apiKey, startedAt: now, usedAt: now })
      return id
    },

    /** The session's key; asking counts as use. */
    findKey(id: string | undefined) {
      const session = id === undefined ? undefined : sessions.get(id)
      if (!id || !session) return undefined
      const now = Date.now()
      if (isOver(session, now)) {
        sessions.delete(id)
        return undefined
      }
      session.usedAt = now
      return session.apiKey
    },

    end(id: string | undefined) {
      if (id !== undefined) sessions.delete(id)
    },
  }
}
