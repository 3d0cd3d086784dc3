import { sql } from 'drizzle-orm'

import type { Services } from '#platform/context/context.ts'
import { type Database, isShared } from '#platform/database/open-database.ts'
import type { Analytics } from '#platform/context/analytics.ts'

const queues = new WeakMap<Analytics, Map<string, Promise<unknown>>>()

/** Any fixed number but those of other advisory locks. */
const writersLock = 4403

type Writing = Pick<Services, 'db' | 'analytics'>

/**
 * Runs one piece of writing work after another per organization, here and in every process on the same database: two that
 * wrote one run at once could leave its older facts, and a reindex would empty the engine of what another just took in.
 */
export const oneAtATime = <T>({ db, analytics }: Writing, organizationId: string, work: () => Promise<T>): Promise<T> =>
  inQueue(analytics, organizationId, () => (isShared(db) ? aloneOnDatabase(db, organizationId, work) : work()))

/**
 * As oneAtATime, but null, without the work, while another process is at it: a reindex takes long, and whoever goes round
 * all organizations would keep the others waiting.
 */
export const unlessBusyElsewhere = <T>(
  { db, analytics }: Writing,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T | null> =>
  inQueue(analytics, organizationId, () => (isShared(db) ? aloneOrNotAtAll(db, organizationId, work) : work()))

function inQueue<T>(analytics: Analytics, organizationId: string, work: () => Promise<T>): Promise<T> {
  const ofEngine = queues.get(analytics) ?? new Map<string, Promise<unknown>>()
  queues.set(analytics, ofEngine)
  const before = ofEngine.get(organizationId) ?? Promise.resolve()
  const result = before.then(work)
  ofEngine.set(
    organizationId,
    result.catch(() => {}),
  )
  return result
}

const keyOf = (organizationId: string) => sql`${writersLock}::int, hashtext(${organizationId})`

/**
 * The transaction holds nothing but the lock, which PostgreSQL drops with it, also when this process is killed; servers
 * that end idle transactions must not end this one.
 */
const aloneOnDatabase = <T>(db: Database, organizationId: string, work: () => Promise<T>): Promise<T> =>
  db.transaction(async (lock) => {
    await lock.execute(sql`set local idle_in_transaction_session_timeout = 0`)
    await lock.execute(sql`select pg_advisory_xact_lock(${keyOf(organizationId)})`)
    return work()
  })

const aloneOrNotAtAll = <T>(db: Database, organizationId: string, work: () => Promise<T>): Promise<T | null> =>
  db.transaction(async (lock) => {
    await lock.execute(sql`set local idle_in_transaction_session_timeout = 0`)
    const tried = sql`select 1 where pg_try_advisory_xact_lock(${keyOf(organizationId)})`
    const { rows } = (await lock.execute(tried)) as unknown as { rows: unknown[] }
    return rows.length > 0 ? work() : null
  })
