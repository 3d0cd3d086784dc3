import type { SharedContext } from '#platform/ground/context/context.ts'
import { findSomeRunIds } from './list-store.ts'
import { readRunList } from './read-run-list.ts'

type Filters = Parameters<typeof readRunList>[1]

/** The UUIDs of up to `limit` runs that a list with these filters contains, in no order. */
export async function findMatchingRuns(context: SharedContext, filters: Filters, limit: number): Promise<string[]> {
  return findSomeRunIds(context.db, readRunList(context, filters).filter, limit)
}
