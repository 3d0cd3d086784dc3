import pLimit from 'p-limit'

import type { Services } from '#platform/ground/context/context.ts'
import { type Database, isShared } from '#platform/ground/database/open-database.ts'
import type { Analytics } from '#platform/ground/services/analytics.ts'
import { lockWriting, tryLockWriting } from './lock-store.ts'

/** The work in progress on each engine, by organization. */
const queues = new WeakMap<Analytics, Map<string, Promise<unknown>>>()

type Writing = Pick<Services, 'db' | 'analytics'>

/**
 * Runs writing work one at a time per organization, across every process on the same database. Two processes that write
 * one run at once could store its older facts, and a reindex would delete rows that another process just inserted.
 */
export const oneAtATime = <T>({ db, analytics }: Writing, organizationId: string, work: () => Promise<T>): Promise<T> =>
  inQueue(analytics, organizationId, () => (isShared(db) ? aloneOnDatabase(db, organizationId, work) : work()))

/** Like oneAtATime, but returns null without doing the work if another process is busy with the organization. */
export const unlessBusyElsewhere = <T>(
  { db, analytics }: Writing,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T | null> =>
  inQueue(analytics, organizationId, () => (isShared(db) ? aloneOrNotAtAll(db, organizationId, work) : work()))

/**
 * Like unlessBusyElsewhere, but also returns null if this process is busy with the organization: a reindex takes long, and a
 * caller that visits all organizations would delay the others.
 */
export const unlessBusy = async <T>(
  services: Writing,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T | null> =>
  queues.get(services.analytics)?.has(organizationId) ? null : unlessBusyElsewhere(services, organizationId, work)

function inQueue<T>(analytics: Analytics, organizationId: string, work: () => Promise<T>): Promise<T> {
  const ofEngine = queues.get(analytics) ?? new Map<string, Promise<unknown>>()
  queues.set(analytics, ofEngine)
  const before = ofEngine.get(organizationId) ?? Promise.resolve()
  const result = before.then(work)
  const forget = () => {
    if (ofEngine.get(organizationId) === ended) ofEngine.delete(organizationId)
  }
  const ended = result.then(forget, forget)
  ofEngine.set(organizationId, ended)
  return result
}

/**
 * Each transaction keeps a connection of the pool, and its work needs others. With all of them kept by transactions, the
 * work of none would ever get one.
 */
const withConnection = pLimit(4)

/**
 * The transaction holds only the lock, which PostgreSQL releases with it, even if this process is killed.
 */
const aloneOnDatabase = <T>(db: Database, organizationId: string, work: () => Promise<T>): Promise<T> =>
  withConnection(() =>
    db.transaction(async (tx) => {
      await lockWriting(tx, organizationId)
      return work()
    }),
  )

const aloneOrNotAtAll = <T>(db: Database, organizationId: string, work: () => Promise<T>): Promise<T | null> =>
  withConnection(() => db.transaction(async (tx) => ((await tryLockWriting(tx, organizationId)) ? work() : null)))
