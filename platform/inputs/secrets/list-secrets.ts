import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { listSecrets as endpoint, SecretList } from '#contract/secrets.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findSecrets } from './store.ts'
import { toSecrets } from './to-secret.ts'

/**
 * GET /secrets: lists secrets by slug. `query` searches slugs and descriptions; `slug` (our addition) selects exact
 * slugs.
 */
export async function listSecrets(
  { db, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<SecretList> {
  const limit = input.pageSize ?? limits.secrets.default
  const { query: search, slug: slugs } = input
  const listKey = ['secrets', organization.id, search, slugs] as const
  const [afterSlug] = readPageToken(input.pageToken, z.tuple([z.string()]), listKey) ?? []
  const rows = await findSecrets(db, { organizationId: organization.id, search, slugs, afterSlug, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ slug }) => [slug])
  return { secrets: await toSecrets(db, organization.id, shown), ...next }
}
