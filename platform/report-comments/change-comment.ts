import type { VerbInput } from '#contract/endpoint.ts'
import { can } from '#contract/permissions.ts'
import { mentionedPeople } from '#contract/report-blocks/mentions.ts'
import type {
  deleteComment as deleteEndpoint,
  editComment as editEndpoint,
  ReportThread,
} from '#contract/report-comments.ts'
import type { Context } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { denied } from '#platform/failures/failure.ts'
import { deleteParagraph } from '#platform/reports/track-paragraph.ts'
import { lockReport } from '#platform/reports/require-report.ts'
import { checkText } from './check-text.ts'
import { notifyMentioned } from './notify-of-comment.ts'
import { readThread, requireComment, requireThread } from './require-thread.ts'
import { changeComment } from './store.ts'

/**
 * PATCH /reports/{reportId}/comments/{commentId}. Errors: `invalid_argument`, `not_found`, `permission_denied` for
 * another person's comment.
 */
export async function editComment(
  context: Context,
  { reportId, commentId, text }: VerbInput<typeof editEndpoint>,
): Promise<ReportThread> {
  const { db, organization, caller } = context
  const stored = checkText(text)
  return db.transaction(async (tx) => {
    const report = await lockReport(tx, { organizationId: organization.id, reportId })
    const { comment, author } = await requireComment(tx, report.id, commentId)
    if (comment.authorId !== caller.userId) throw denied(`Only ${author.name} can edit this comment`)
    const editedAt = await clockNow(tx)
    if (comment.text !== stored) await changeComment(tx, comment.id, { text: stored, editedAt })
    const thread = await readThread(tx, report.id, comment.threadId)
    const before = new Set(mentionedPeople(comment.text ?? ''))
    const added = mentionedPeople(stored).filter((id) => !before.has(id))
    await notifyMentioned(context, tx, { report, id: comment.id, at: editedAt, people: added })
    return thread
  })
}

/**
 * DELETE /reports/{reportId}/comments/{commentId}: a thread goes with its last text. Errors: `not_found`,
 * `permission_denied` unless the caller wrote it or is an admin.
 */
export async function deleteComment(
  { db, organization, caller }: Context,
  { reportId, commentId }: VerbInput<typeof deleteEndpoint>,
): Promise<undefined> {
  await db.transaction(async (tx) => {
    const report = await lockReport(tx, { organizationId: organization.id, reportId })
    const { comment, author } = await requireComment(tx, report.id, commentId)
    if (comment.authorId !== caller.userId && !can(organization).manageOrganization)
      throw denied(`Only ${author.name} or an admin can delete this comment`)
    const { thread, rows } = await requireThread(tx, report.id, comment.threadId)
    if (rows.some(({ comment: { id, text } }) => id !== comment.id && text !== null))
      await changeComment(tx, comment.id, { text: null })
    else await deleteParagraph(tx, thread.paragraphId)
  })
  return undefined
}
