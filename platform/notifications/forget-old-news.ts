import type { Services } from '#platform/context/context.ts'
import { findOldEvents, removeEntries, removeEventsWithoutEntries } from './store.ts'

/** How long a feed keeps an entry, read or not: nobody who was away for long misses what came meanwhile. */
const keptDays = 365

/** What one pass takes out at most. */
const aPass = { events: 200, entries: 5000 }

/**
 * One pass over everybody's feeds: takes out of what is older than a year the oldest. Others may do the same at once. A
 * walk through a feed goes on after a row, not at an offset, so it repeats nothing and skips nothing that is left.
 * Returns whether more may be left.
 */
export async function forgetOldNews({ db }: Pick<Services, 'db'>, { events, entries } = aPass): Promise<boolean> {
  const old = await findOldEvents(db, { days: keptDays, limit: events })
  if (old.length === 0) return false
  if ((await removeEntries(db, old, entries)) === entries) return true
  await removeEventsWithoutEntries(db, old)
  return old.length === events
}
