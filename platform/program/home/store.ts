import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { insights } from '#platform/ground/database/tables/insights.ts'
import { reports } from '#platform/ground/database/tables/reports.ts'

type Changed = { organizationId: string; since: string; limit: number }

const person = { id: users.id, email: users.email, name: users.name }

export const findChangedQueries = (db: Database, { organizationId, since, limit }: Changed) =>
  db
    .select({ id: insights.id, title: insights.heading, updatedBy: person, updatedAt: insights.updatedAt })
    .from(insights)
    .innerJoin(users, eq(users.id, insights.updatedBy))
    .where(and(eq(insights.organizationId, organizationId), gt(insights.updatedAt, sql`${since}::timestamptz`)))
    .orderBy(desc(insights.updatedAt))
    .limit(limit)

export const findChangedReports = (db: Database, { organizationId, since, limit }: Changed) =>
  db
    .select({
      id: sql<string>`${reports.id}::text`,
      title: reports.title,
      updatedBy: person,
      updatedAt: reports.updatedAt,
    })
    .from(reports)
    .innerJoin(users, eq(users.id, reports.updatedBy))
    .where(and(eq(reports.organizationId, organizationId), gt(reports.updatedAt, sql`${since}::timestamptz`)))
    .orderBy(desc(reports.updatedAt))
    .limit(limit)

export const findPendingSuggestions = (db: Database, organizationId: string, limit: number) =>
  db
    .select({
      id: contextSuggestions.id,
      kind: contextSuggestions.kind,
      targetId: contextSuggestions.targetId,
      author: person,
    })
    .from(contextSuggestions)
    .innerJoin(users, eq(users.id, contextSuggestions.authorId))
    .where(and(eq(contextSuggestions.organizationId, organizationId), eq(contextSuggestions.status, 'pending')))
    .orderBy(asc(contextSuggestions.createdAt), asc(contextSuggestions.id))
    .limit(limit)
