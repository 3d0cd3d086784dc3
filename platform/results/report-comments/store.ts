import { and, asc, count, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import {
  reportComments,
  reportCommentTimes,
  reportSuggestions,
  reportThreads,
} from '#platform/ground/database/tables/report-comments.ts'
import { reportParagraphs } from '#platform/ground/database/tables/reports.ts'

const author = alias(users, 'author')
const resolver = alias(users, 'resolver')
const decider = alias(users, 'decider')

const selectComments = (db: Database) =>
  db
    .select({
      thread: reportThreads,
      paragraph: reportParagraphs,
      comment: reportComments,
      author: { id: author.id, email: author.email, name: author.name },
      resolver: { id: resolver.id, email: resolver.email, name: resolver.name },
    })
    .from(reportComments)
    .innerJoin(reportThreads, eq(reportThreads.id, reportComments.threadId))
    .innerJoin(reportParagraphs, eq(reportParagraphs.id, reportThreads.paragraphId))
    .innerJoin(author, eq(author.id, reportComments.authorId))
    .leftJoin(resolver, eq(resolver.id, reportThreads.resolvedBy))

export type CommentRow = Awaited<ReturnType<typeof selectComments>>[number]

/** The comments of a report, each with its thread: the threads oldest first, and so their comments. */
export const findComments = (db: Database, reportId: string) =>
  selectComments(db)
    .where(eq(reportParagraphs.reportId, reportId))
    .orderBy(asc(reportThreads.createdAt), asc(reportThreads.id), asc(reportComments.createdAt), asc(reportComments.id))

/** The comments of a thread of this report, oldest first. */
export const findThread = (db: Database, reportId: string, threadId: string) =>
  selectComments(db)
    .where(and(eq(reportParagraphs.reportId, reportId), isUuid(reportThreads.id, threadId)))
    .orderBy(asc(reportComments.createdAt), asc(reportComments.id))

/** Each with its thread: read apart from the comments, because a thread may have many and each text is long. */
const selectSuggestions = (db: Database) =>
  db
    .select({
      suggestion: reportSuggestions,
      decider: { id: decider.id, email: decider.email, name: decider.name },
    })
    .from(reportSuggestions)
    .innerJoin(reportThreads, eq(reportThreads.id, reportSuggestions.threadId))
    .innerJoin(reportParagraphs, eq(reportParagraphs.id, reportThreads.paragraphId))
    .leftJoin(decider, eq(decider.id, reportSuggestions.decidedBy))

export type SuggestionRow = Awaited<ReturnType<typeof selectSuggestions>>[number]

/** The suggested texts of a report, or of one of its threads. */
export const findSuggestions = (db: Database, reportId: string, threadId?: string) =>
  selectSuggestions(db).where(
    and(
      eq(reportParagraphs.reportId, reportId),
      threadId === undefined ? undefined : isUuid(reportThreads.id, threadId),
    ),
  )

/** A comment of this report that is not deleted. */
export async function findComment(db: Database, reportId: string, commentId: string) {
  const [row] = await selectComments(db).where(
    and(eq(reportParagraphs.reportId, reportId), isUuid(reportComments.id, commentId), isNotNull(reportComments.text)),
  )
  return row
}

/** How many comments of the report are not deleted. */
export async function countOfReport(tx: Database, reportId: string) {
  const [row] = await tx
    .select({ comments: count() })
    .from(reportComments)
    .innerJoin(reportThreads, eq(reportThreads.id, reportComments.threadId))
    .innerJoin(reportParagraphs, eq(reportParagraphs.id, reportThreads.paragraphId))
    .where(and(eq(reportParagraphs.reportId, reportId), isNotNull(reportComments.text)))
  return row?.comments ?? 0
}

/** Locks the person until the transaction ends, so that their comments are counted one at a time. */
export const lockAuthor = (tx: Database, authorId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, authorId)).for('no key update')

/** How many comments the person wrote in the last hour, in any organization. Forgets those before it. */
export async function countOfHour(tx: Database, authorId: string) {
  const isOld = lt(reportCommentTimes.createdAt, sql`clock_timestamp() - interval '1 hour'`)
  await tx.delete(reportCommentTimes).where(and(eq(reportCommentTimes.authorId, authorId), isOld))
  return tx.$count(reportCommentTimes, eq(reportCommentTimes.authorId, authorId))
}

export const insertThread = (tx: Database, thread: typeof reportThreads.$inferInsert) =>
  tx.insert(reportThreads).values(thread)

export async function insertComment(tx: Database, comment: typeof reportComments.$inferInsert) {
  const { id: commentId, authorId, createdAt } = comment
  await tx.insert(reportComments).values(comment)
  await tx.insert(reportCommentTimes).values({ commentId, authorId, createdAt })
}

export const changeComment = (tx: Database, id: string, change: { text: string | null; editedAt?: string }) =>
  tx.update(reportComments).set(change).where(eq(reportComments.id, id))

export const removeComments = (tx: Database, ids: readonly string[]) =>
  tx.delete(reportComments).where(inArray(reportComments.id, [...ids]))

export const setResolved = (
  tx: Database,
  id: string,
  resolved: { resolvedBy: string | null; resolvedAt: string | null },
) => tx.update(reportThreads).set(resolved).where(eq(reportThreads.id, id))

export const insertSuggestion = (tx: Database, suggestion: typeof reportSuggestions.$inferInsert) =>
  tx.insert(reportSuggestions).values(suggestion)

export async function countSuggestions(tx: Database, reportId: string) {
  const [row] = await tx
    .select({ suggestions: count() })
    .from(reportSuggestions)
    .innerJoin(reportThreads, eq(reportThreads.id, reportSuggestions.threadId))
    .innerJoin(reportParagraphs, eq(reportParagraphs.id, reportThreads.paragraphId))
    .where(eq(reportParagraphs.reportId, reportId))
  return row?.suggestions ?? 0
}

type Decision = { isAccepted: boolean; decidedBy: string; decidedAt: string; note: string | null }

export const setDecision = (tx: Database, threadId: string, decision: Decision) =>
  tx.update(reportSuggestions).set(decision).where(eq(reportSuggestions.threadId, threadId))
