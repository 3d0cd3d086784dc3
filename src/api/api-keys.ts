import {
  type ApiKeyList,
  approveKey as approveEndpoint,
  createOrganizationKey,
  createOwnKey,
  listKeys,
  listOwnKeys,
  revokeKey,
  revokeOwnKey,
  rotateOrganizationKey,
  rotateOwnKey,
} from '#contract/api-keys.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { wholeListOptions } from './infinite-list.ts'
import { endpointKey, refresherOf } from './query-client.ts'

/** The caller's personal keys, or every key with access to the organization. */
export type KeyScope = 'own' | 'organization'

const keysOf = ({ keys }: ApiKeyList) => keys

export const apiKeyListOptions = (scope: KeyScope) => {
  const list = scope === 'own' ? listOwnKeys : listKeys
  const page = { pageSize: limits.apiKeys.max }
  return wholeListOptions({
    queryKey: endpointKey(list, page),
    readPage: (pageToken, signal) => call(list, { ...page, pageToken }, signal),
    nextToken: ({ nextPageToken }) => nextPageToken,
    rowsOf: keysOf,
  })
}

const thenRefresh = refresherOf(['apiKeys'])

export const createKeyOfMine = (body: CallInput<typeof createOwnKey>) => thenRefresh(call(createOwnKey, body))

export const approveKey = (body: CallInput<typeof approveEndpoint>) => thenRefresh(call(approveEndpoint, body))

export const createKeyOfOrganization = (body: CallInput<typeof createOrganizationKey>) =>
  thenRefresh(call(createOrganizationKey, body))

export const rotateApiKey = (scope: KeyScope, input: CallInput<typeof rotateOwnKey>) =>
  thenRefresh(call(scope === 'own' ? rotateOwnKey : rotateOrganizationKey, input))

export const revokeApiKey = (scope: KeyScope, keyId: string) =>
  thenRefresh(call(scope === 'own' ? revokeOwnKey : revokeKey, { keyId }))
