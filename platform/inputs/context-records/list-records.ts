import type { ContextSnapshot } from '#contract/context-suggestions.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { findRecords } from './store.ts'
import { toSnapshot } from './to-snapshot.ts'

/** Every Context record of an organization, by kind and id. For operators. */
export async function listRecords({ db }: Pick<Services, 'db'>, organizationId: string): Promise<ContextSnapshot[]> {
  return (await findRecords(db, organizationId)).map(toSnapshot)
}
