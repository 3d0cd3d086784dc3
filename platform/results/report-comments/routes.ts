import * as contract from '#contract/report-comments.ts'
import { serve, servePolled } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { editComment, deleteComment } from './change-comment.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { listComments } from './list-comments.ts'
import { replyToThread } from './reply-to-thread.ts'
import { resolveThread } from './resolve-thread.ts'
import { startThread } from './start-thread.ts'

export const reportCommentRoutes = [
  servePolled(contract.listComments, listComments, () => 'anything'),
  serve(contract.startThread, startThread, requirePerson),
  serve(contract.replyToThread, replyToThread, requirePerson),
  serve(contract.resolveThread, resolveThread, requirePerson),
  serve(contract.decideSuggestion, decideSuggestion, requirePerson),
  serve(contract.editComment, editComment, requirePerson),
  serve(contract.deleteComment, deleteComment, requirePerson),
]
