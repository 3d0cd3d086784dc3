import { randomBytes } from 'node:crypto'

import { z } from 'zod'

import { seal, unseal } from './seal-session.ts'
import type { SessionDatabase } from './session-database.ts'
import { digest, keyOf, keyOfPerson, sessionName } from './session-keys.ts'
import type { Identity } from './sessions.ts'

const Stored = z.object({ apiKey: z.string(), person: z.string() })
const Place = z.object({ browser: z.string(), address: z.string() })

type Settings = { sessionIdleMs: number; sessionMaxMs: number; maxSessionsPerPerson?: number }

/** The part of the idle time that a session can lose, because not every use is saved. */
const unsavedPart = 1 / 30

type Row = { name: string; session: Buffer; isStale: boolean }
type ListedRow = { name: string; about: Buffer; startedAt: Date; usedAt: Date }

/**
 * Sessions in a database that several BFFs share. Each request reads its session there, so one that ended is over on
 * all of them at once. Ages are measured by the database's clock.
 */
export function sharedSessions(database: SessionDatabase, settings: Settings) {
  const { sessionIdleMs, sessionMaxMs, maxSessionsPerPerson = 100 } = settings
  const idleTime = `$1::float8 * interval '1 ms'`
  const isAlive = `used_at >= now() - ${idleTime} and started_at >= now() - $2::float8 * interval '1 ms'`
  /** The first two values of every statement that contains `isAlive`. */
  const lifetimes = [sessionIdleMs, sessionMaxMs]

  const find = async (id: string) => {
    const name = sessionName(id)
    const [row] = await database.query<Row>(
      `select name, session, used_at < now() - ${idleTime} * ${unsavedPart} as "isStale"
      from bff.sessions where name = $3 and ${isAlive}`,
      [...lifetimes, name],
    )
    const text = row && unseal(keyOf(id), name, row.session)
    return text ? { ...Stored.parse(JSON.parse(text)), name, isStale: row.isStale } : undefined
  }

  const endAll = (person: string, kept = '') =>
    database.query('delete from bff.sessions where person = $1 and name <> $2', [digest(person), kept])

  const endByName = async (person: string, name: string) => {
    const statement = 'delete from bff.sessions where person = $1 and name = $2 returning name'
    return (await database.query(statement, [digest(person), name])).length > 0
  }

  return {
    /** Ends the oldest session of a person who has too many. */
    async start({ apiKey, person }: Identity, from: z.infer<typeof Place>) {
      const id = randomBytes(32).toString('base64url')
      const name = sessionName(id)
      const session = seal(keyOf(id), name, JSON.stringify({ apiKey, person }))
      const about = seal(keyOfPerson(person), name, JSON.stringify(from))
      await database.query('insert into bff.sessions (name, person, about, session) values ($1, $2, $3, $4)', [
        name,
        digest(person),
        about,
        session,
      ])
      await database.query(`delete from bff.sessions where not (${isAlive})`, lifetimes)
      await database.query(
        `delete from bff.sessions where name in
          (select name from bff.sessions where person = $1 order by started_at desc, name offset $2)`,
        [digest(person), maxSessionsPerPerson],
      )
      return id
    },

    /** Returns the session's key. This counts as use, except for a request the page makes on its own. */
    async findKey(id: string | undefined, { isBackground = false } = {}) {
      const session = id ? await find(id) : undefined
      if (session?.isStale && !isBackground)
        await database.query('update bff.sessions set used_at = now() where name = $1', [session.name])
      return session?.apiKey
    },

    async end(id: string | undefined) {
      if (id) await database.query('delete from bff.sessions where name = $1', [sessionName(id)])
    },

    /** The sessions of the same person, the last used first. */
    async listOwn(id: string | undefined) {
      const own = id && (await find(id))
      if (!own) return []
      const rows = await database.query<ListedRow>(
        `select name, about, started_at as "startedAt", used_at as "usedAt" from bff.sessions
        where person = $3 and ${isAlive} order by used_at desc`,
        [...lifetimes, digest(own.person)],
      )
      return rows.flatMap(({ name, about, startedAt, usedAt }) => {
        const text = unseal(keyOfPerson(own.person), name, about)
        const times = { startedAt: startedAt.getTime(), usedAt: usedAt.getTime() }
        return text ? [{ ...Place.parse(JSON.parse(text)), ...times, name, isCurrent: name === own.name }] : []
      })
    },

    /** Ends one session of the same person by its name. Returns false if there is none. */
    async endOwn(id: string | undefined, name: string) {
      const own = id && (await find(id))
      return own ? endByName(own.person, name) : false
    },

    async endOthers(id: string | undefined) {
      const own = id && (await find(id))
      if (own) await endAll(own.person, own.name)
    },

    /** Ends every session of the same person, whatever key each was started with. */
    async endAllOfPerson(id: string | undefined) {
      const own = id && (await find(id))
      if (own) await endAll(own.person)
    },
  }
}
