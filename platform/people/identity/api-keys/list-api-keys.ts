import { z } from 'zod'

import type { ApiKeyList, listKeys } from '#contract/api-keys.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findApiKeys, type KeyFilter } from './store.ts'
import { toApiKey } from './to-api-key.ts'

type Input = VerbInput<typeof listKeys>

const position = z.tuple([Timestamp, z.uuid()])

/** GET /me/keys: the caller's personal keys with access to the organization. */
export const listOwnKeys = (context: Context, input: Input) =>
  listKeysOf(context, input, { organizationId: context.organization.id, ofUser: personOf(context.caller) })

/** GET /keys: every key with access to the organization. */
export const listOrganizationKeys = (context: Context, input: Input) =>
  listKeysOf(context, input, { organizationId: context.organization.id })

async function listKeysOf({ db, caller }: Context, input: Input, filter: KeyFilter): Promise<ApiKeyList> {
  const limit = input.pageSize ?? limits.apiKeys.default
  const listKey = ['api-keys', filter.organizationId, filter.ofUser] as const
  const after = readPageToken(input.pageToken, position, listKey)
  const rows = await findApiKeys(db, filter, { after, limit: limit + 1 })
  const all = rows.map((row) => toApiKey(row, caller))
  const { shown, ...next } = cutPage(all, limit, listKey, ({ createdAt, id }) => [createdAt, id])
  return { keys: shown, ...next }
}
