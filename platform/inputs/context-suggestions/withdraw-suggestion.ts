import { suggestionCan, type SuggestionState } from '#contract/context-suggestions.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict, notFound } from '#platform/ground/failures/failure.ts'
import { lockOwnSuggestion, moveSuggestion } from './store.ts'
import { toState } from './to-suggestion.ts'

type Withdrawal = { suggestionId: string; version: number }

/**
 * Withdraws one of the caller's own pending suggestions. A repeated call returns the same. Errors: `not_found`;
 * `already_exists` when the suggestion is not pending or has another version.
 */
export async function withdrawSuggestion(
  { db, organization, caller }: Context,
  { suggestionId, version }: Withdrawal,
): Promise<SuggestionState> {
  const author = { organizationId: organization.id, authorId: personOf(caller) }
  return db.transaction(async (tx) => {
    const found = await lockOwnSuggestion(tx, author, suggestionId)
    if (!found) throw notFound(`You have no suggestion ${suggestionId}`)
    if (found.status === 'withdrawn' && found.version === version + 1) return toState(found)
    if (!suggestionCan.withdraw(found) || found.version !== version)
      throw conflict(`The suggestion is ${found.status} in version ${found.version}; nothing was withdrawn`)
    return toState(await moveSuggestion(tx, found.id, { status: 'withdrawn', updatedAt: await clockNow(tx) }))
  })
}
