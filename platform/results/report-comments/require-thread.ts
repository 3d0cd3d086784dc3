import type { ReportThread } from '#contract/report-comments.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { type CommentRow, findComment, findSuggestions, findThread } from './store.ts'
import { toThreads } from './to-thread.ts'

/** The comments of a thread, with the thread on each. The caller has locked the report. Errors: `not_found`. */
export async function requireThread(tx: Database, reportId: string, threadId: string) {
  const rows = await findThread(tx, reportId, threadId)
  const [first] = rows
  if (!first) throw notFound('This thread of comments does not exist. It may have been deleted')
  return { thread: first.thread, rows }
}

/** The thread as it is now. */
export async function readThread(tx: Database, reportId: string, threadId: string): Promise<ReportThread> {
  const { rows } = await requireThread(tx, reportId, threadId)
  const [thread] = toThreads(rows, await findSuggestions(tx, reportId, threadId))
  if (!thread) throw new Error('a thread without comments')
  return thread
}

/** Errors: `not_found`, also for a deleted comment. */
export async function requireComment(tx: Database, reportId: string, commentId: string): Promise<CommentRow> {
  const row = await findComment(tx, reportId, commentId)
  if (!row) throw notFound('This comment does not exist. It may have been deleted')
  return row
}
