import type { CallInput } from '#contract/endpoint.ts'
import { slugOfReference } from '#contract/secret-references.ts'
import { deleteSecret, listSecrets, putSecret, type SecretList, SecretSlug } from '#contract/secrets.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { wholeListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, refresherOf } from './query-client.ts'

const secretsOf = ({ secrets }: SecretList) => secrets

/** Every secret whose slug or description contains a text. */
export const secretListOptions = (search: string) => {
  const filter = { query: search === '' ? undefined : search, pageSize: limits.secrets.max }
  return wholeListOptions({
    queryKey: endpointKey(listSecrets, filter),
    readPage: (pageToken, signal) => call(listSecrets, { ...filter, pageToken }, signal),
    nextToken: ({ nextPageToken }) => nextPageToken,
    rowsOf: secretsOf,
  })
}

/** The secret with exactly this slug, or null. Invalid slugs are not requested. */
export const secretOptions = (slug: string) => ({
  ...endpointOptions(listSecrets, { slug }),
  enabled: SecretSlug.safeParse(slug).success,
  select: ({ secrets }: SecretList) => secrets[0] ?? null,
})

/** The referenced slugs that don't exist. Reloaded whenever the page becomes visible again. */
export function missingSecretsOptions(references: readonly string[]) {
  const slugs = references.map((reference) => slugOfReference(reference) ?? reference)
  const possible = slugs.filter((slug) => SecretSlug.safeParse(slug).success)
  return {
    ...endpointOptions(listSecrets, { slug: possible.join(','), pageSize: 1000 }),
    enabled: references.length > 0,
    staleTime: 0,
    select: ({ secrets }: SecretList) => slugs.filter((slug) => !secrets.some((secret) => secret.slug === slug)),
  }
}

const thenRefresh = refresherOf(['secrets'])

export const saveSecret = (secret: CallInput<typeof putSecret>) => thenRefresh(call(putSecret, secret))

export const removeSecret = (slug: string) => thenRefresh(call(deleteSecret, { slug }))
