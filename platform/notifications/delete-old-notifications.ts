import type { Services } from '#platform/context/context.ts'
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
