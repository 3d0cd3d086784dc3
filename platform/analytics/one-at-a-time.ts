import { sql } from 'drizzle-orm'

import type { Services } from '#platform/context.ts'
import { type Database, isShared } from '#platform/database/open-database.ts'
import type { Analytics } from './analytics.ts'

const queues = new WeakMap<Analytics, Map<string, Promise<unknown>>>()

/** Any fixed number but those of other advisory locks. */
const writersLock = 4403

/**
 * Runs one piece of writing work after another per organization, here and in every process on the same database: two that
 * wrote one run at once could leave its older facts, and a reindex would empty the engine of what another just took in.
 */
export function oneAtATime<T>(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T> {
  const ofEngine = queues.get(analytics) ?? new Map<string, Promise<unknown>>()
  queues.set(analytics, ofEngine)
  const before = ofEngine.get(organizationId) ?? Promise.resolve()
  const result = before.then(() => (isShared(db) ? aloneOnDatabase(db, organizationId, work) : work()))
  ofEngine.set(
    organizationId,
    result.catch(() => {}),
  )
  return result
}

/** The transaction holds nothing but the lock, which PostgreSQL drops with it, also when this process is killed. */
const aloneOnDatabase = <T>(db: Database, organizationId: string, work: () => Promise<T>): Promise<T> =>
  db.transaction(async (lock) => {
    await lock.execute(sql`select pg_advisory_xact_lock(${writersLock}::int, hashtext(${organizationId}))`)
    return work()
  })
