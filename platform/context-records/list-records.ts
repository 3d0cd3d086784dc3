import type { ContextSnapshot } from '#contract/context-suggestions.ts'
import type { Services } from '#platform/context.ts'
import { findRecords } from './store.ts'

/** Every Context record of an organization, by kind and id. For operators: the API has no list of them. */
export async function listRecords({ db }: Pick<Services, 'db'>, organizationId: string): Promise<ContextSnapshot[]> {
  const rows = await findRecords(db, organizationId)
  return rows.map(({ id: targetId, kind, revision, fields }) => ({ kind, targetId, revision, fields }))
}
