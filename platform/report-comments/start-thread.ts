import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type { ReportThread, startThread as endpoint } from '#contract/report-comments.ts'
import type { Context } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { trackParagraph } from '#platform/reports/track-paragraph.ts'
import { lockReport } from '#platform/reports/require-report.ts'
import { checkText, requireCommentQuota } from './check-text.ts'
import { notifyOfComment } from './notify-of-comment.ts'
import { readThread } from './require-thread.ts'
import { insertComment, insertThread } from './store.ts'

/**
 * POST /reports/{reportId}/comments: comments on a paragraph. Errors: `invalid_argument`, `not_found`,
 * `failed_precondition` if the report has no such paragraph, `resource_exhausted` at a limit.
 */
export async function startThread(
  context: Context,
  { reportId, quote, position, text }: VerbInput<typeof endpoint>,
): Promise<ReportThread> {
  const { db, organization, caller } = context
  const stored = checkText(text)
  return db.transaction(async (tx) => {
    const report = await lockReport(tx, { organizationId: organization.id, reportId })
    await requireCommentQuota(tx, { reportId: report.id, authorId: caller.userId })
    const paragraphId = await trackParagraph(tx, report, { quote, position })
    const [threadId, id, createdAt] = [newId(), newId(), await clockNow(tx)]
    await insertThread(tx, { id: threadId, paragraphId, createdAt })
    await insertComment(tx, { id, threadId, authorId: caller.userId, text: stored, createdAt })
    const thread = await readThread(tx, report.id, threadId)
    await notifyOfComment(context, tx, { report, id, text: stored })
    return thread
  })
}
