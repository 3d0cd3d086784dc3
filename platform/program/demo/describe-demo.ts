import type { HomeView } from '#contract/home.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findItems } from './store.ts'

/** The parts of the demo that were made, for a guide to them; null without a demo. */
export async function describeDemo(db: Database, organizationId: string): Promise<HomeView['demo'] | null> {
  const items = await findItems(db, organizationId)
  if (!items.some(({ kind, state }) => kind === 'organization' && state === 'made')) return null
  const idsOf = (wanted: string) => items.filter(({ kind }) => kind === wanted).map(({ itemId }) => itemId)
  const [reportId] = idsOf('report')
  return {
    experimentIds: idsOf('experiment'),
    savedQueryIds: idsOf('insight'),
    ...(reportId !== undefined && { reportId }),
    hasSuggestion: idsOf('suggestion').length > 0,
    hasSecret: idsOf('secret').length > 0,
  }
}
