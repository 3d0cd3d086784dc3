import { suggestionCan } from '#contract/context-suggestions.ts'
import type { Services } from '#platform/context/context.ts'
import { updateRecord } from '#platform/context-records/update-record.ts'
import { clockNow } from '#platform/database/clock.ts'
import { conflict, notFound } from '#platform/failures/failure.ts'
import { notify } from '#platform/notifications/notify.ts'
import { findSuggestion, lockSuggestion, moveSuggestion } from './store.ts'

type Decision = { suggestionId: string; decision: 'accepted' | 'rejected'; note?: string | undefined }

/**
 * Records the organization's decision on a pending suggestion. Accepting applies it as the record's next revision. The
 * author is notified of the decision, and every member of a change. Errors: `not_found`; `already_exists` when the
 * suggestion is not pending, or when it should be accepted but the record has changed. It can then only be rejected.
 */
export async function decideSuggestion({ db }: Pick<Services, 'db'>, { suggestionId, decision, note }: Decision) {
  return db.transaction(async (tx) => {
    const locked = await lockSuggestion(tx, suggestionId)
    if (!locked) throw notFound(`Suggestion ${suggestionId} not found`)
    const { id, organizationId, kind, targetId, baseRevision, proposed: change } = locked
    if (!suggestionCan.decide(locked)) throw conflict(`The suggestion is already ${locked.status}; nothing was decided`)
    const decisionNote = note?.trim() || null
    const moved = await moveSuggestion(tx, id, { status: decision, decisionNote, updatedAt: await clockNow(tx) })
    const key = { organizationId, kind, targetId }
    if (decision === 'accepted') await updateRecord(tx, { ...key, change, baseRevision, suggestionId: id })
    const shown = await findSuggestion(tx, id)
    await notify(tx, {
      type: 'context.suggestion.decided',
      organizationId,
      source: `context.suggestion.decided:${id}`,
      actor: null,
      subject: { type: 'context_suggestion', id },
      payload: {
        decision,
        kind,
        target_id: targetId,
        name: shown?.target.fields['name'] ?? targetId,
        note: decisionNote,
      },
      to: { userIds: [locked.authorId] },
    })
    return { status: moved.status, version: moved.version, revision: shown?.target.revision ?? baseRevision }
  })
}
