import type { ReportComment, ReportThread, Suggestion } from '#contract/report-comments.ts'
import type { CommentRow, SuggestionRow } from './store.ts'

const toComment = ({ comment, author }: CommentRow): ReportComment => ({
  id: comment.id,
  author,
  ...(comment.text !== null && { text: comment.text }),
  createdAt: comment.createdAt,
  ...(comment.editedAt !== null && { editedAt: comment.editedAt }),
})

/** The threads of comments that are in the order of their threads. */
export function toThreads(rows: readonly CommentRow[], suggestions: readonly SuggestionRow[]): ReportThread[] {
  const suggestionOf = new Map(suggestions.map((row) => [row.suggestion.threadId, row]))
  const ofThreads = Map.groupBy(rows, ({ thread }) => thread.id)
  return [...ofThreads.values()].flatMap((comments) => {
    const [first] = comments
    if (!first) return []
    const { thread, paragraph, resolver } = first
    const suggestion = suggestionOf.get(thread.id)
    return {
      id: thread.id,
      quote: paragraph.quote,
      position: paragraph.position,
      createdAt: thread.createdAt,
      ...(resolver && thread.resolvedAt !== null && { resolved: { by: resolver, at: thread.resolvedAt } }),
      ...(suggestion && { suggestion: toSuggestion(suggestion) }),
      comments: comments.map(toComment),
    }
  })
}

const toSuggestion = ({
  suggestion: { original, replacement, isAccepted, decidedAt: at, note },
  decider: by,
}: SuggestionRow): Suggestion => ({
  original,
  replacement,
  ...(isAccepted !== null && at !== null && by && { decision: { isAccepted, by, at, ...(note !== null && { note }) } }),
})
