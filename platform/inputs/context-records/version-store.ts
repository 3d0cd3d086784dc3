import { and, desc, eq, lt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Database } from '#platform/ground/database/open-database.ts'
import { contextVersions } from '#platform/ground/database/tables/context-records.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import type { RecordKey } from './store.ts'

type NewVersion = Omit<typeof contextVersions.$inferInsert, 'organizationId' | 'kind' | 'recordId'>

export const insertVersion = (tx: Database, { organizationId, kind, targetId }: RecordKey, version: NewVersion) =>
  tx.insert(contextVersions).values({ organizationId, kind, recordId: targetId, ...version })

const author = alias(users, 'author')

const selectVersions = (db: Database) =>
  db
    .select({
      version: contextVersions,
      changer: { id: users.id, name: users.name },
      author: { id: author.id, name: author.name },
    })
    .from(contextVersions)
    .leftJoin(users, eq(users.id, contextVersions.changedBy))
    .leftJoin(contextSuggestions, eq(contextSuggestions.id, contextVersions.suggestionId))
    .leftJoin(author, eq(author.id, contextSuggestions.authorId))

export type VersionRow = Awaited<ReturnType<typeof selectVersions>>[number]

const isOf = ({ organizationId, kind, targetId }: RecordKey) =>
  and(
    eq(contextVersions.organizationId, organizationId),
    eq(contextVersions.kind, kind),
    eq(contextVersions.recordId, targetId),
  )

/** Newest first. */
export const findVersions = (db: Database, key: RecordKey, { before, limit }: { before?: number; limit: number }) =>
  selectVersions(db)
    .where(and(isOf(key), before === undefined ? undefined : lt(contextVersions.revision, before)))
    .orderBy(desc(contextVersions.revision))
    .limit(limit)

export async function findVersion(db: Database, key: RecordKey, revision: number): Promise<VersionRow | null> {
  const [row] = await selectVersions(db).where(and(isOf(key), eq(contextVersions.revision, revision)))
  return row ?? null
}
