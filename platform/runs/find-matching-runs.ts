import type { SharedContext } from '#platform/context/context.ts'
import { findRunIds } from './list-store.ts'
import { readRunList } from './read-run-list.ts'

type Filters = Parameters<typeof readRunList>[1]

/** The UUIDs of the runs that a list with these filters contains, in the order of the list. */
export async function findMatchingRuns(context: SharedContext, filters: Filters) {
  const { filter, sort } = readRunList(context, filters)
  return findRunIds(context.db, filter, sort)
}
