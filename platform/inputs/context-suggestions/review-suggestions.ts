import { z } from 'zod'

import type {
  decideSuggestion as decideEndpoint,
  getSharedSuggestion as getEndpoint,
  listSharedSuggestions as listEndpoint,
  SharedSuggestion,
  SharedSuggestionList,
} from '#contract/context-suggestions.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { readSorted } from '#contract/wire/sort-param.ts'
import { personOf, personOrNull } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { searchWords } from '#platform/ground/database/search-words.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { requireEnabled } from './require-enabled.ts'
import { findSharedSuggestions, findSuggestion } from './store.ts'
import { toShared } from './to-suggestion.ts'

const Position = z.tuple([Timestamp, z.uuid()])

/**
 * GET /context/suggestions: the suggestions of everyone, newest first. Errors: `not_found` where the feature is
 * disabled, `invalid_argument` for another list's page token.
 */
export async function listShared(
  { db, organization, caller }: Context,
  input: VerbInput<typeof listEndpoint>,
): Promise<SharedSuggestionList> {
  await requireEnabled(db, organization.id)
  const limit = input.pageSize ?? limits.suggestions.default
  const { isDescending } = readSorted(input.sort ?? '-created')
  const { status: statuses, kind, targetId } = input
  const filter = {
    organizationId: organization.id,
    statuses,
    kind,
    targetId,
    isDescending,
    ...(input.own && { authorId: personOf(caller) }),
    ...(input.search && { words: searchWords(input.search) }),
  }
  const listKey = ['shared-context-suggestions', filter] as const
  const position = readPageToken(input.pageToken, Position, listKey)
  const after = position && { createdAt: position[0], id: position[1] }
  const rows = await findSharedSuggestions(db, { ...filter, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ suggestion }) => [suggestion.createdAt, suggestion.id])
  return { suggestions: shown.map((row) => toShared(row, personOrNull(caller))), ...next }
}

/** GET /context/suggestions/{suggestionId}. Errors: `not_found`. */
export async function getShared(
  { db, organization, caller }: Context,
  { suggestionId }: VerbInput<typeof getEndpoint>,
): Promise<SharedSuggestion> {
  await requireEnabled(db, organization.id)
  const row = await findSuggestion(db, suggestionId, organization.id)
  if (!row) throw notFound(`Suggestion ${suggestionId} not found`)
  return toShared(row, personOrNull(caller))
}

/** POST /context/suggestions/{suggestionId}/decision, for admins. Errors: those of `decideSuggestion`. */
export async function decideAsAdmin(
  context: Context,
  { suggestionId, decision, note }: VerbInput<typeof decideEndpoint>,
): Promise<SharedSuggestion> {
  const { db, organization, caller } = context
  await requireEnabled(db, organization.id)
  const admin = { caller, organizationId: organization.id }
  await decideSuggestion(context, { suggestionId, decision, note, admin })
  return getShared(context, { suggestionId })
}
