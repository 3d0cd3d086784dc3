import { queryOptions } from '@tanstack/react-query'

import type { ContextKind } from '#contract/context-kinds.ts'
import { suggestContext, type SuggestionList } from '#contract/context-suggestions.ts'
import type { CallInput, ResponseOf } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, queryClient } from './query-client.ts'

type Input = CallInput<typeof suggestContext>
type Answer = ResponseOf<typeof suggestContext>
type AnswerTo<Action extends Input['action']> = Extract<Answer, { action: Action }>

const isAnswerTo = <Action extends Input['action']>(action: Action, response: Answer): response is AnswerTo<Action> =>
  response.action === action

async function act<Action extends Input['action']>(
  input: Input & { action: Action },
  signal?: AbortSignal,
): Promise<AnswerTo<Action>> {
  const response = await call(suggestContext, input, signal)
  if (isAnswerTo(input.action, response)) return response
  throw new ApiError('unexpected_response', `The response is for "${response.action}", not for "${input.action}"`)
}

export type RecordTarget = { kind: ContextKind; targetId: string }

/** A snapshot of the record. It changes only when the person editing reloads it. */
export function snapshotOptions(target: RecordTarget) {
  const input = { action: 'snapshot', ...target } as const
  return queryOptions({
    queryKey: endpointKey(suggestContext, input),
    queryFn: ({ signal }) => act(input, signal),
    staleTime: Infinity,
  })
}

const suggestionsOf = ({ suggestions }: SuggestionList) => suggestions

const hasPending = (list: SuggestionList | undefined) =>
  list?.suggestions.some(({ status }) => status === 'pending') ?? false

/** The caller's own suggestions, newest first, page by page. Polls for decisions while one is pending. */
export function suggestionPagesOptions({ pendingOnly }: { pendingOnly: boolean }) {
  const input = { action: 'list', pendingOnly } as const
  return infiniteListOptions({
    queryKey: [...endpointKey(suggestContext, input), 'pages'],
    queryFn: ({ pageParam, signal }) => act({ ...input, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: suggestionsOf,
    refetchInterval: ({ state }) => (state.data?.pages.some(hasPending) ? 20_000 : false),
  })
}

/** One of the caller's own suggestions, however old; null if it isn't theirs. */
export function suggestionOptions(suggestionId: string) {
  const input = { action: 'list', suggestionId } as const
  return queryOptions({
    queryKey: endpointKey(suggestContext, input),
    queryFn: async ({ signal }) => (await act(input, signal)).suggestions[0] ?? null,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 20_000 : false),
  })
}

/** All pending suggestions of the caller; they fit on one page. */
export function pendingSuggestionsOptions() {
  const input = { action: 'list', pendingOnly: true, pageSize: 200 } as const
  return queryOptions({
    queryKey: endpointKey(suggestContext, input),
    queryFn: ({ signal }) => act(input, signal),
    staleTime: 0,
  })
}

export const submitSuggestion = (input: Omit<Input, 'action'>) => thenReload(act({ ...input, action: 'submit' }))

export const withdrawSuggestion = (suggestionId: string, version: number) =>
  thenReload(act({ action: 'withdraw', suggestionId, version }))

async function thenReload<Result>(change: Promise<Result>) {
  const result = await change
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [noun, , input] }) =>
      noun === 'contextSuggestions' && (input as Input | undefined)?.action === 'list',
  })
  return result
}
