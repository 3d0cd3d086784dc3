import { and, asc, count, desc, eq, gt, ilike, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { ContextKind } from '#contract/context-kinds.ts'
import type { SuggestionStatus } from '#contract/context-suggestions.ts'
import { contextRecords } from '#platform/ground/database/tables/context-records.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { contextSettings, contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'

export type AuthorKey = { organizationId: string; authorId: string }

const isOf = ({ organizationId, authorId }: AuthorKey) =>
  and(eq(contextSuggestions.organizationId, organizationId), eq(contextSuggestions.authorId, authorId))

export async function isEnabled(db: Database, organizationId: string) {
  const [row] = await db.select().from(contextSettings).where(eq(contextSettings.organizationId, organizationId))
  return row?.suggestionsEnabled ?? false
}

export const setEnabled = (db: Database, organizationId: string, suggestionsEnabled: boolean) =>
  db
    .insert(contextSettings)
    .values({ organizationId, suggestionsEnabled })
    .onConflictDoUpdate({ target: contextSettings.organizationId, set: { suggestionsEnabled } })

/** Locks the person until the transaction ends, so that their submissions run one at a time. */
export const lockAuthor = (tx: Database, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** The author's earlier submission with the same key, or null. */
export async function findByIdempotencyKey(tx: Database, author: AuthorKey, key: string) {
  const [row] = await tx
    .select()
    .from(contextSuggestions)
    .where(and(isOf(author), eq(contextSuggestions.idempotencyKey, key)))
  return row ?? null
}

/** The number of an author's pending suggestions, and of those created in the last hour. */
export async function countRecent(tx: Database, author: AuthorKey) {
  const pending = await tx
    .select({ suggestions: count() })
    .from(contextSuggestions)
    .where(and(isOf(author), eq(contextSuggestions.status, 'pending')))
  const lastHour = await tx
    .select({ suggestions: count() })
    .from(contextSuggestions)
    .where(and(isOf(author), gt(contextSuggestions.createdAt, sql`clock_timestamp() - interval '1 hour'`)))
  return { pending: pending[0]?.suggestions ?? 0, lastHour: lastHour[0]?.suggestions ?? 0 }
}

export const insertSuggestion = (tx: Database, suggestion: typeof contextSuggestions.$inferInsert) =>
  tx.insert(contextSuggestions).values(suggestion)

const isIn = (organizationId: string | undefined) =>
  organizationId === undefined ? undefined : eq(contextSuggestions.organizationId, organizationId)

/** Locks the suggestion until the transaction ends. In any organization when none is given. */
export async function lockSuggestion(tx: Database, id: string, organizationId?: string) {
  const [row] = await tx
    .select()
    .from(contextSuggestions)
    .where(and(isUuid(contextSuggestions.id, id), isIn(organizationId)))
    .for('update')
  return row ?? null
}

/** Locks one of the author's own suggestions until the transaction ends. Null for any other id. */
export async function lockOwnSuggestion(tx: Database, author: AuthorKey, id: string) {
  const [row] = await tx
    .select()
    .from(contextSuggestions)
    .where(and(isOf(author), isUuid(contextSuggestions.id, id)))
    .for('update')
  return row ?? null
}

type Move = { status: SuggestionStatus; decisionNote?: string | null; decidedBy?: string | null; updatedAt: string }

/** Writes the next version of a locked suggestion. */
export async function moveSuggestion(tx: Database, id: string, move: Move) {
  const [row] = await tx
    .update(contextSuggestions)
    .set({ ...move, version: sql`${contextSuggestions.version} + 1` })
    .where(eq(contextSuggestions.id, id))
    .returning()
  if (!row) throw new Error('A locked suggestion disappeared')
  return row
}

const decider = alias(users, 'decider')

const selectSuggestions = (db: Database) =>
  db
    .select({
      suggestion: contextSuggestions,
      author: { id: users.id, email: users.email, name: users.name },
      decider: { id: decider.id, name: decider.name },
      target: { revision: contextRecords.revision, fields: contextRecords.fields },
    })
    .from(contextSuggestions)
    .innerJoin(users, eq(users.id, contextSuggestions.authorId))
    .leftJoin(decider, eq(decider.id, contextSuggestions.decidedBy))
    .innerJoin(
      contextRecords,
      and(
        eq(contextRecords.organizationId, contextSuggestions.organizationId),
        eq(contextRecords.kind, contextSuggestions.kind),
        eq(contextRecords.id, contextSuggestions.targetId),
      ),
    )

export type SuggestionRow = Awaited<ReturnType<typeof selectSuggestions>>[number]

type SuggestionPosition = { createdAt: string; id: string }
type Page = {
  suggestionId: string | undefined
  pendingOnly: boolean
  after: SuggestionPosition | undefined
  limit: number
}

const isAfter = (sign: '<' | '>', { createdAt, id }: SuggestionPosition) =>
  sql`(${contextSuggestions.createdAt}, ${contextSuggestions.id}) ${sql.raw(sign)} (${createdAt}::timestamptz, ${id}::uuid)`

/** Newest first, by creation time, which never changes. */
export const findOwnSuggestions = (db: Database, author: AuthorKey, page: Page) => {
  const { suggestionId, pendingOnly, after, limit } = page
  return selectSuggestions(db)
    .where(
      and(
        isOf(author),
        suggestionId === undefined ? undefined : isUuid(contextSuggestions.id, suggestionId),
        pendingOnly ? eq(contextSuggestions.status, 'pending') : undefined,
        after && isAfter('<', after),
      ),
    )
    .orderBy(desc(contextSuggestions.createdAt), desc(contextSuggestions.id))
    .limit(limit)
}

export type SharedFilter = {
  organizationId: string
  statuses: readonly SuggestionStatus[] | undefined
  kind: ContextKind | undefined
  targetId: string | undefined
  isDescending: boolean
  authorId?: string
  /** The suggestion has each of them: in its reason, its author's name, the proposed fields, or the record's id or name. */
  words?: readonly string[]
}

const hasWord = (word: string) => {
  const pattern = likePattern(word)
  return or(
    ilike(contextSuggestions.reason, pattern),
    ilike(users.name, pattern),
    ilike(contextSuggestions.targetId, pattern),
    sql`${contextRecords.fields} ->> 'name' ilike ${pattern}`,
    sql`exists (select 1 from jsonb_each_text(${contextSuggestions.proposed}) field where field.value ilike ${pattern})`,
  )
}

/** The suggestions of all authors, by creation time. */
export function findSharedSuggestions(
  db: Database,
  { after, limit, ...filter }: SharedFilter & { after: SuggestionPosition | undefined; limit: number },
) {
  const { organizationId, kind, targetId, authorId, createdAt, id, status } = contextSuggestions
  const order = filter.isDescending ? desc : asc
  return selectSuggestions(db)
    .where(
      and(
        eq(organizationId, filter.organizationId),
        filter.statuses && filter.statuses.length > 0 ? inArray(status, [...filter.statuses]) : undefined,
        filter.kind && eq(kind, filter.kind),
        filter.targetId === undefined ? undefined : eq(targetId, filter.targetId),
        filter.authorId === undefined ? undefined : eq(authorId, filter.authorId),
        ...(filter.words ?? []).map(hasWord),
        after && isAfter(filter.isDescending ? '<' : '>', after),
      ),
    )
    .orderBy(order(createdAt), order(id))
    .limit(limit)
}

/** The pending suggestions of all authors, oldest first. */
export const findSuggestionsToDecide = (db: Database, organizationId: string) =>
  selectSuggestions(db)
    .where(and(eq(contextSuggestions.organizationId, organizationId), eq(contextSuggestions.status, 'pending')))
    .orderBy(asc(contextSuggestions.createdAt), asc(contextSuggestions.id))

/** In any organization when none is given. */
export async function findSuggestion(db: Database, id: string, organizationId?: string): Promise<SuggestionRow | null> {
  const [row] = await selectSuggestions(db).where(and(isUuid(contextSuggestions.id, id), isIn(organizationId)))
  return row ?? null
}
