import type { ReportComment, ReportThread } from '#contract/report-comments.ts'
import type { CommentRow } from './store.ts'

const toComment = ({ comment, author }: CommentRow): ReportComment => ({
  id: comment.id,
  author,
  ...(comment.text !== null && { text: comment.text }),
  createdAt: comment.createdAt,
  ...(comment.editedAt !== null && { editedAt: comment.editedAt }),
})

/** The threads of comments that are in the order of their threads. */
export function toThreads(rows: readonly CommentRow[]): ReportThread[] {
  const ofThreads = Map.groupBy(rows, ({ thread }) => thread.id)
  return [...ofThreads.values()].flatMap((comments) => {
    const [first] = comments
    if (!first) return []
    const { thread, paragraph, resolver } = first
    return {
      id: thread.id,
      quote: paragraph.quote,
      position: paragraph.position,
      createdAt: thread.createdAt,
      ...(resolver && thread.resolvedAt !== null && { resolved: { by: resolver, at: thread.resolvedAt } }),
      comments: comments.map(toComment),
    }
  })
}
