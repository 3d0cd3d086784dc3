import type { Database } from '#platform/ground/database/open-database.ts'
import { outboxAge, outboxRows, queueAge, runsInStatus } from './metrics.ts'
import { countUnfinished, countWaiting } from './store.ts'

/**
 * Sets the gauges that describe the database, or removes them if it does not answer: old values would count, since a
 * scaler takes the highest of all servers. Reads only unfinished runs and waiting rows, which are few.
 */
export async function measureQueues(db: Database) {
  try {
    await setGauges(db)
  } catch (error) {
    runsInStatus.reset()
    for (const gauge of [queueAge, outboxRows, outboxAge]) gauge.remove()
    throw error
  }
}

async function setGauges(db: Database) {
  const unfinished = await countUnfinished(db)
  for (const status of ['queued', 'waiting_for_ci', 'running'] as const)
    runsInStatus.set({ status }, unfinished.find((row) => row.status === status)?.runs ?? 0)
  queueAge.set(unfinished.find(({ status }) => status === 'queued')?.age ?? 0)
  const waiting = await countWaiting(db)
  outboxRows.set(waiting.runs)
  outboxAge.set(waiting.age)
}
