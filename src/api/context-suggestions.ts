import { queryOptions } from '@tanstack/react-query'

import type { ContextKind } from '#contract/context-kinds.ts'
import {
  type ContextSuggestion,
  decideSuggestion as decideEndpoint,
  getSharedSuggestion,
  listSharedSuggestions,
  type SharedSuggestion,
  type SharedSuggestionList,
  suggestContext,
  type SuggestionList,
} from '#contract/context-suggestions.ts'
import type { CallInput, ResponseOf } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { ApiError, isApiError, isMissing } from './errors.ts'
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

const hasPending = (list: { suggestions: readonly { status: string }[] } | undefined) =>
  list?.suggestions.some(({ status }) => status === 'pending') ?? false

/** The caller's own suggestions, newest first, page by page. Polls for decisions while one is pending. */
export function suggestionPagesOptions() {
  const input = { action: 'list', pendingOnly: false } as const
  return infiniteListOptions({
    queryKey: [...endpointKey(suggestContext, input), 'pages'],
    queryFn: ({ pageParam, signal }) => act({ ...input, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: suggestionsOf,
    refetchInterval: ({ state }) => (state.data?.pages.some(hasPending) ? 20_000 : false),
  })
}

/** A suggestion as a page shows it. A list of the caller's own leaves out what is about other people. */
export type ShownSuggestion = Omit<ContextSuggestion, 'idempotencyKey'> &
  Partial<Pick<SharedSuggestion, 'author' | 'isOwn' | 'current' | 'decidedBy'>>

const sharedOf = ({ suggestions }: SharedSuggestionList) => suggestions

/** The suggestions of everyone, page by page. Polls while one is pending. */
export function sharedPagesOptions(filters: Omit<CallInput<typeof listSharedSuggestions>, 'pageToken'>) {
  return infiniteListOptions({
    queryKey: [...endpointKey(listSharedSuggestions, filters), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listSharedSuggestions, { ...filters, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: sharedOf,
    refetchInterval: ({ state }) => (state.data?.pages.some(hasPending) ? 20_000 : false),
  })
}

/** Any suggestion of the organization. Where the platform shows only the caller's own, one of those; null if it isn't. */
export function suggestionOptions(suggestionId: string) {
  return queryOptions({
    queryKey: endpointKey(getSharedSuggestion, { suggestionId }),
    queryFn: ({ signal }) => readSuggestion(suggestionId, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 20_000 : false),
  })
}

async function readSuggestion(suggestionId: string, signal: AbortSignal): Promise<ShownSuggestion | null> {
  try {
    return await call(getSharedSuggestion, { suggestionId }, signal)
  } catch (error) {
    if (!isMissing(error)) throw error
    const own = await act({ action: 'list', suggestionId }, signal)
    return own.suggestions[0] ?? null
  }
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

/** If somebody else was faster, the pages show what is decided. */
export const decideSuggestion = (
  suggestionId: string,
  decision: Omit<CallInput<typeof decideEndpoint>, 'suggestionId'>,
) =>
  thenReload(
    call(decideEndpoint, { suggestionId, ...decision }).catch(async (error: unknown) => {
      if (isApiError(error, 'already_exists')) await reloadContext()
      throw error
    }),
  )

async function thenReload<Result>(change: Promise<Result>) {
  const result = await change
  await reloadContext()
  return result
}

const nouns = new Set<unknown>(['contextSuggestions', 'contextRecords', 'contextVersions'])

/** Everything of Context but snapshots, which the person editing reloads. */
export const reloadContext = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [noun, , input] }) =>
      nouns.has(noun) && (input as Partial<Input> | undefined)?.action !== 'snapshot',
  })

/** The record as the API document has it, for platforms without our additions. */
export const readSnapshot = (target: RecordTarget, signal: AbortSignal) =>
  act({ action: 'snapshot', ...target }, signal)
