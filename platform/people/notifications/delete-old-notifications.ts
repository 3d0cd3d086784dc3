import type { Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findOldEvents, removeEntries, removeEventsWithoutEntries } from './store.ts'

/** The age at which an entry is deleted, read or not, so that a person can be away for long and miss nothing. */
const keptDays = 365

/** The maximum that one pass deletes. */
const aPass = { events: 200, entries: 5000 }

/**
 * One pass over all feeds: deletes the oldest of the entries that are older than a year. Passes may run concurrently. A
 * walk through a feed continues after a row, not at an offset, so it neither repeats nor skips a remaining entry.
 * Returns whether more entries may be left.
 */
export async function deleteOldNotifications(
  { db }: Pick<Services, 'db'>,
  { events, entries } = aPass,
): Promise<boolean> {
  const old = await findOldEvents(db, { days: keptDays, limit: events })
  if (old.length === 0) return false
  if ((await removeEntries(db, old, entries)) === entries) return true
  await removeEventsWithoutEntries(db, old)
  return old.length === events
}

/** One pass over the notifications of one organization. Returns how much it deleted; more may be left. */
export async function removeNotifications(
  db: Database,
  { organizationId, days, limit }: { organizationId: string; days: number; limit: number },
): Promise<number> {
  const old = await findOldEvents(db, { days, limit, organizationId })
  if (old.length === 0) return 0
  const removed = await removeEntries(db, old, aPass.entries)
  if (removed === aPass.entries) return removed
  return Math.max(removed, await removeEventsWithoutEntries(db, old))
}
