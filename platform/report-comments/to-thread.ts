import type { ReportComment, ReportThread, Suggestion } from '#contract/report-comments.ts'
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
    const { thread, paragraph, resolver, suggestion, decider } = first
    return {
      id: thread.id,
      quote: paragraph.quote,
      position: paragraph.position,
      createdAt: thread.createdAt,
      ...(resolver && thread.resolvedAt !== null && { resolved: { by: resolver, at: thread.resolvedAt } }),
      ...(suggestion && { suggestion: toSuggestion(suggestion, decider) }),
      comments: comments.map(toComment),
    }
  })
}

type Row = NonNullable<CommentRow['suggestion']>

const toSuggestion = (
  { original, replacement, isAccepted, decidedAt: at, note }: Row,
  by: CommentRow['decider'],
): Suggestion => ({
  original,
  replacement,
  ...(isAccepted !== null && at !== null && by && { decision: { isAccepted, by, at, ...(note !== null && { note }) } }),
})
