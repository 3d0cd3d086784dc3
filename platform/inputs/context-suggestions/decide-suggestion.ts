import { suggestionCan } from '#contract/context-suggestions.ts'
import { type Auditing, audited } from '#platform/people/audit/audited.ts'
import type { Caller } from '#platform/ground/context/caller.ts'
import { updateRecord } from '#platform/inputs/context-records/update-record.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict, notFound } from '#platform/ground/failures/failure.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { findSuggestion, lockSuggestion, moveSuggestion } from './store.ts'

type Decision = {
  suggestionId: string
  decision: 'accepted' | 'rejected'
  note?: string | undefined
  /** An admin who decides in their organization. The operator decides in all. */
  admin?: { caller: Pick<Caller, 'actor' | 'recordedUnder'>; organizationId: string }
}

/**
 * Records the organization's decision on a pending suggestion. Accepting applies it as the record's next revision. The
 * author is notified of the decision, and every member of a change. Errors: `not_found`; `already_exists` when the
 * suggestion is not pending, or when it should be accepted but the record has changed. It can then only be rejected.
 */
export async function decideSuggestion(auditing: Auditing, { suggestionId, decision, note, admin }: Decision) {
  return audited(auditing, async (tx, record) => {
    const locked = await lockSuggestion(tx, suggestionId, admin?.organizationId)
    if (!locked) throw notFound(`Suggestion ${suggestionId} not found`)
    const { id, organizationId, kind, targetId, baseRevision, proposed: change } = locked
    if (!suggestionCan.decide(locked)) throw conflict(`The suggestion is already ${locked.status}; nothing was decided`)
    const by = admin?.caller ?? null
    const decisionNote = note?.trim() || null
    const decidedBy = by?.recordedUnder ?? null
    const updatedAt = await clockNow(tx)
    const moved = await moveSuggestion(tx, id, { status: decision, decisionNote, decidedBy, updatedAt })
    const key = { organizationId, kind, targetId }
    const origin = { cause: 'suggestion', by, suggestionId: id } as const
    if (decision === 'accepted') await updateRecord(tx, { ...key, change, baseRevision, origin })
    const shown = await findSuggestion(tx, id)
    const revision = shown?.target.revision ?? baseRevision
    const details = { decision, kind, target: targetId, ...(decision === 'accepted' && { revision }) }
    record({ event: 'context.decide', organizationId, subject: id, details })
    await notify(tx, {
      type: 'context.suggestion.decided',
      organizationId,
      source: `context.suggestion.decided:${id}`,
      actor: by?.actor ?? null,
      subject: { type: 'context_suggestion', id },
      payload: {
        decision,
        kind,
        target_id: targetId,
        name: shown?.target.fields['name'] ?? targetId,
        note: decisionNote,
      },
      to: { userIds: [locked.authorId] },
      except: by?.recordedUnder,
    })
    return { status: moved.status, version: moved.version, revision }
  })
}
