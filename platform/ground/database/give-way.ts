import { setTimeout as delay } from 'node:timers/promises'

import { type Database, isEmbedded } from './open-database.ts'

/** No pause is longer, so that work on a busy machine still ends. */
const longestMs = 1000

/** How long others should have an embedded database after a part of long work that began at `startedAt`. */
export const pauseAfter = (startedAt: number) => Math.min(performance.now() - startedAt, longestMs)

/**
 * Does one part of long work on the database, then leaves the database to others for as long. An embedded database does
 * one transaction at a time, and what waits for it often needs several statements, each of which would wait for a part.
 */
export async function giveWay<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  if (isEmbedded(db)) await delay(pauseAfter(startedAt))
  return result
}
