import { isDeepStrictEqual } from 'node:util'

import { v7 as newId } from 'uuid'

import type { ContextFields, ContextKind } from '#contract/context-kinds.ts'
import { type Evidence, suggestionCan, type SuggestionState } from '#contract/context-suggestions.ts'
import { limits } from '#contract/wire/limit.ts'
import { readSomeFields } from '#platform/inputs/context-records/read-fields.ts'
import { requireRecord } from '#platform/inputs/context-records/require-record.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, exhausted, invalid, notFound } from '#platform/ground/failures/failure.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import {
  type AuthorKey,
  countRecent,
  findByIdempotencyKey,
  insertSuggestion,
  lockAuthor,
  lockOwnSuggestion,
  moveSuggestion,
} from './store.ts'
import { toState } from './to-suggestion.ts'

export type Submission = {
  kind: ContextKind
  targetId: string
  baseRevision: number
  proposed: Record<string, string>
  reason: string
  evidence: Evidence[]
  idempotencyKey: string
  replacesRequestId?: string | undefined
  expectedVersion?: number | undefined
}

/**
 * Suggests a change to a record, or replaces a pending suggestion, and notifies the admins. The same submission sent again returns the current
 * state of the first. Errors: `not_found` for the record or the replaced suggestion; `already_exists` when the record
 * has changed since the snapshot or the replaced suggestion is not pending; `invalid_argument`; `resource_exhausted`
 * for too many submissions.
 */
export async function submitSuggestion(
  { db, organization, caller }: Context,
  { evidence, reason, idempotencyKey, ...input }: Submission,
): Promise<SuggestionState> {
  const author = { organizationId: organization.id, authorId: caller.recordedUnder }
  const { kind, targetId, baseRevision, replacesRequestId, expectedVersion } = input
  if ((replacesRequestId === undefined) !== (expectedVersion === undefined))
    throw invalid('`replacesRequestId` and `expectedVersion` must be sent together')
  const proposed = readProposed(kind, input.proposed)
  const replacesId = replacesRequestId?.toLowerCase() ?? null
  const content = { kind, targetId, baseRevision, proposed, reason, evidence, replacesId }
  return db.transaction(async (tx) => {
    await lockAuthor(tx, caller.recordedUnder)
    const earlier = await findByIdempotencyKey(tx, author, idempotencyKey)
    if (earlier) {
      const { kind, targetId, baseRevision, proposed, reason, evidence, replacesId } = earlier
      const was = { kind, targetId, baseRevision, proposed, reason, evidence, replacesId }
      if (!isDeepStrictEqual(was, content)) throw invalid('`idempotencyKey` was already used for another submission')
      return toState(earlier)
    }
    const { base, name } = await requireBase(tx, { ...author, kind, targetId, baseRevision, proposed })
    if (replacesRequestId !== undefined)
      await supersede(tx, author, { ...content, replacesId: replacesRequestId, expectedVersion })
    await requireRoom(tx, author)
    const now = await clockNow(tx)
    const id = newId()
    const status = 'pending'
    const stamps = { status, version: 1, createdAt: now, updatedAt: now } as const
    await insertSuggestion(tx, { id, ...author, ...content, base, idempotencyKey, ...stamps })
    await notify(tx, {
      type: 'context.suggestion.submitted',
      organizationId: organization.id,
      source: `context.suggestion.submitted:${id}`,
      actor: caller.actor,
      subject: { type: 'context_suggestion', id },
      payload: { kind, target_id: targetId, name },
      to: { roles: ['admin'] },
      except: caller.recordedUnder,
    })
    return { suggestionId: id, status, version: 1 }
  })
}

function readProposed(kind: ContextKind, values: Record<string, string>): ContextFields {
  if (Object.keys(values).length === 0) throw invalid('`proposed` must change at least one field')
  return readSomeFields({ kind, values }, 'proposed')
}

type Proposal = AuthorKey & { kind: ContextKind; targetId: string; baseRevision: number; proposed: ContextFields }

/** The record's name and the current values of the proposed fields, in the revision that the suggestion is based on. */
async function requireBase(
  tx: Database,
  { proposed, baseRevision, ...key }: Proposal,
): Promise<{ base: ContextFields; name: string }> {
  const { revision, fields } = await requireRecord(tx, key)
  if (revision !== baseRevision)
    throw conflict(
      `The record is at revision ${revision}, not ${baseRevision}. Take a new snapshot and submit a new suggestion`,
    )
  const base = Object.fromEntries(Object.keys(proposed).map((name) => [name, fields[name] ?? '']))
  if (isDeepStrictEqual(base, proposed)) throw invalid('`proposed` changes nothing')
  return { base, name: fields['name'] ?? key.targetId }
}

type Replacement = {
  kind: ContextKind
  targetId: string
  replacesId: string
  expectedVersion: number | undefined
}

async function supersede(
  tx: Database,
  author: AuthorKey,
  { kind, targetId, replacesId, expectedVersion }: Replacement,
) {
  const replaced = await lockOwnSuggestion(tx, author, replacesId)
  if (!replaced) throw notFound(`You have no suggestion ${replacesId}`)
  if (replaced.kind !== kind || replaced.targetId !== targetId)
    throw invalid('`replacesRequestId` refers to a suggestion about another record')
  if (!suggestionCan.replace(replaced) || replaced.version !== expectedVersion)
    throw conflict(
      `The suggestion to replace is ${replaced.status} in version ${replaced.version}; nothing was submitted`,
    )
  await moveSuggestion(tx, replaced.id, { status: 'superseded', updatedAt: await clockNow(tx) })
}

async function requireRoom(tx: Database, author: AuthorKey) {
  const { pending, lastHour } = await countRecent(tx, author)
  if (pending >= limits.pendingSuggestions)
    throw exhausted(`You have ${pending} pending suggestions. Withdraw one, or replace one`)
  if (lastHour >= limits.suggestionsPerHour)
    throw exhausted(`You submitted ${lastHour} suggestions in the last hour. Try again later`)
}
