import { z } from 'zod'

import type { SuggestionList } from '#contract/context-suggestions.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findOwnSuggestions } from './store.ts'
import { toSuggestion } from './to-suggestion.ts'

const Position = z.tuple([Timestamp, z.uuid()])

type Asked = {
  suggestionId?: string | undefined
  pendingOnly?: boolean | undefined
  pageSize?: number | undefined
  pageToken?: string | undefined
}

/**
 * The caller's own suggestions, newest first, or only the given one. Errors: `invalid_argument` for another list's page
 * token.
 */
export async function listSuggestions(
  { db, organization, caller }: Context,
  { suggestionId, pendingOnly = false, pageSize: limit = limits.suggestions.default, pageToken }: Asked,
): Promise<SuggestionList> {
  const author = { organizationId: organization.id, authorId: personOf(caller) }
  const listKey = ['context-suggestions', author, pendingOnly, suggestionId ?? ''] as const
  const position = readPageToken(pageToken, Position, listKey, 'pageToken')
  const after = position && { createdAt: position[0], id: position[1] }
  const rows = await findOwnSuggestions(db, author, { suggestionId, pendingOnly, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ suggestion }) => [suggestion.createdAt, suggestion.id])
  return { suggestions: shown.map(toSuggestion), ...next }
}
