import { setTimeout as delay } from 'node:timers/promises'

import type { Database } from '#platform/ground/database/open-database.ts'
import { findChanges, type DatabaseSnapshot } from './store.ts'

/**
 * The data that a response depends on: anything in the database, the organization's runs, the runs of one request, or
 * one run.
 */
export type Topic = 'anything' | 'runs' | `request ${string}` | `run ${string}`

/** When a topic last changed, as a database snapshot. A higher `serial` is later. */
export type Version = DatabaseSnapshot & { serial: number }

type Seen = {
  now: Version
  floor: Version
  topics: Map<string, Version>
  /** The next check, which has not started yet, and the number of readers that wait for it. */
  next: Promise<void> | null
  waiting: number
  ready: Promise<void>
}

const maxTopics = 10_000

/**
 * Milliseconds that the next check waits so that others can join it: more after a check with many readers, none after a
 * check with one.
 */
const restOf = (checkMs: number, readers: number) => Math.min(2 * checkMs * (readers - 1), 150)

/**
 * Determines whether a response is still current. Each check of the database starts after it was requested, so it sees
 * every earlier commit of any process. Concurrent callers share one check.
 */
export function watchChanges(db: Database) {
  const organizations = new Map<string, Seen>()
  const never: Version = { serial: 0, snapshot: '', life: '' }
  let serial = 0

  const check = async (organizationId: string, seen: Seen) => {
    const { snapshot, life, others, runs } = await findChanges(db, organizationId, seen.now.snapshot)
    const isSameLife = life === seen.now.life
    if (isSameLife && snapshot === seen.now.snapshot) return
    serial += 1
    const version = { serial, snapshot, life }
    seen.now = version
    if (!isSameLife || others || runs === null || seen.topics.size + 2 * runs.length > maxTopics) {
      seen.floor = version
      seen.topics.clear()
      return
    }
    if (runs.length > 0) seen.topics.set('runs', version)
    for (const { id, requestId } of runs) {
      seen.topics.set(`run ${id}`, version)
      seen.topics.set(`request ${requestId}`, version)
    }
  }

  /** A check that has already started may miss later commits. */
  const nextCheck = (organizationId: string, seen: Seen) => {
    seen.waiting += 1
    const start = async () => {
      await seen.ready
      const readers = seen.waiting
      seen.next = null
      seen.waiting = 0
      const startedAt = performance.now()
      const checked = check(organizationId, seen)
      seen.ready = checked.catch(() => {}).then(() => rest(restOf(performance.now() - startedAt, readers)))
      await checked
    }
    seen.next ??= start()
    return seen.next
  }

  return {
    async versionOf(organizationId: string, topic: Topic): Promise<Version> {
      let seen = organizations.get(organizationId)
      if (!seen) {
        seen = { now: never, floor: never, topics: new Map(), next: null, waiting: 0, ready: Promise.resolve() }
        organizations.set(organizationId, seen)
      }
      await nextCheck(organizationId, seen)
      return topic === 'anything' ? seen.now : (seen.topics.get(topic) ?? seen.floor)
    },
  }
}

const rest = async (ms: number) => {
  if (ms >= 1) await delay(ms)
}
