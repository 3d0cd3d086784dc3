import type { CallInput } from '#contract/endpoint.ts'
import {
  decideSuggestion,
  deleteComment,
  editComment,
  listComments,
  replyToThread,
  resolveThread,
  startThread,
} from '#contract/report-comments.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

/** Others' comments arrive within seconds while the page is visible. */
export const commentListOptions = (reportId: string) => ({
  ...endpointOptions(listComments, { reportId }),
  refetchInterval: 3000,
})

async function thenRefresh<Answer>(answer: Promise<Answer>) {
  try {
    return await answer
  } finally {
    // Also after a refusal: someone else may have deleted what it was about.
    await queryClient.invalidateQueries({ queryKey: ['reportComments'] })
  }
}

export const addThread = (input: CallInput<typeof startThread>) => thenRefresh(call(startThread, input))
export const addReply = (input: CallInput<typeof replyToThread>) => thenRefresh(call(replyToThread, input))
export const setResolved = (input: CallInput<typeof resolveThread>) => thenRefresh(call(resolveThread, input))
export const changeComment = (input: CallInput<typeof editComment>) => thenRefresh(call(editComment, input))
export const removeComment = (input: CallInput<typeof deleteComment>) => thenRefresh(call(deleteComment, input))

export async function decideOnSuggestion(input: CallInput<typeof decideSuggestion>) {
  try {
    return await thenRefresh(call(decideSuggestion, input))
  } finally {
    // An accepted suggestion changes the text.
    await queryClient.invalidateQueries({ queryKey: ['reports', 'get'] })
  }
}
