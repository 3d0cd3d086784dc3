import { and, asc, desc, eq, exists, inArray, or, sql } from 'drizzle-orm'

import type { ContextKind } from '#contract/context-kinds.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { contextRecords, contextVersions } from '#platform/ground/database/tables/context-records.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import type { RecordKey } from './store.ts'

const isPendingHere = and(
  eq(contextSuggestions.organizationId, contextRecords.organizationId),
  eq(contextSuggestions.kind, contextRecords.kind),
  eq(contextSuggestions.targetId, contextRecords.id),
  eq(contextSuggestions.status, 'pending'),
)

/** As in the index `context_records_by_name`. */
const nameKey = sql<string>`(lower(${contextRecords.fields} ->> 'name') collate "C")`

const places = {
  name: { value: nameKey, sent: (place: string) => sql`${place}` },
  changed: {
    value: sql<string>`${contextRecords.updatedAt}`.mapWith(toInstant),
    sent: (place: string) => sql`${place}::timestamptz`,
  },
}

const selectRecords = (db: Database, place: (typeof places)[keyof typeof places]['value']) =>
  db
    .select({
      record: contextRecords,
      changer: { id: users.id, name: users.name },
      pending: db.$count(contextSuggestions, isPendingHere),
      place: place.as('place'),
    })
    .from(contextRecords)
    .leftJoin(
      contextVersions,
      and(
        eq(contextVersions.organizationId, contextRecords.organizationId),
        eq(contextVersions.kind, contextRecords.kind),
        eq(contextVersions.recordId, contextRecords.id),
        eq(contextVersions.revision, contextRecords.revision),
      ),
    )
    .leftJoin(users, eq(users.id, contextVersions.changedBy))

export type RecordRow = Awaited<ReturnType<typeof selectRecords>>[number]

type RecordPosition = { place: string; kind: string; id: string }

export type RecordSearch = {
  organizationId: string
  /** The record has each of them, in its id or its fields. */
  words: readonly string[]
  kinds: readonly ContextKind[] | undefined
  /** Whether it has pending suggestions. */
  pending: boolean | undefined
  sort: { field: keyof typeof places; isDescending: boolean }
  after: RecordPosition | undefined
  limit: number
}

export function searchRecordRows(db: Database, search: RecordSearch) {
  const { field, isDescending } = search.sort
  const { value, sent } = places[field]
  const { kind, id } = contextRecords
  const order = isDescending ? desc : asc
  const after =
    search.after &&
    sql`(${value}, ${kind}, ${id}) ${sql.raw(isDescending ? '<' : '>')} (${sent(search.after.place)}, ${search.after.kind}, ${search.after.id})`
  return selectRecords(db, value)
    .where(
      and(
        eq(contextRecords.organizationId, search.organizationId),
        search.kinds && search.kinds.length > 0 ? inArray(kind, [...search.kinds]) : undefined,
        search.pending === undefined ? undefined : hasPending(db, search.pending),
        ...search.words.map(hasWord),
        after,
      ),
    )
    .orderBy(order(value), order(kind), order(id))
    .limit(search.limit)
}

const hasWord = (word: string) =>
  or(
    sql`${contextRecords.id} ilike ${likePattern(word)}`,
    sql`exists (select 1 from jsonb_each_text(${contextRecords.fields}) field where field.value ilike ${likePattern(word)})`,
  )

function hasPending(db: Database, pending: boolean) {
  const found = exists(
    db
      .select({ one: sql`1` })
      .from(contextSuggestions)
      .where(isPendingHere),
  )
  return pending ? found : sql`not ${found}`
}

export async function findRecordRow(db: Database, { organizationId, kind, targetId }: RecordKey) {
  const [row] = await selectRecords(db, nameKey).where(
    and(
      eq(contextRecords.organizationId, organizationId),
      eq(contextRecords.kind, kind),
      eq(contextRecords.id, targetId),
    ),
  )
  return row ?? null
}
