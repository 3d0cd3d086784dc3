import { MutationCache, QueryCache, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'

import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { canReadAgain, isApiError, waitBeforeReading } from './errors.ts'

let sessionEnded = () => {}

/** The app sets this once: where to go when the API answers 401. */
export const onSessionEnded = (then: () => void) => {
  sessionEnded = then
}

const noticeSessionEnd = (error: unknown) => {
  if (isApiError(error, 'unauthenticated')) sessionEnded()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionEnd }),
  mutationCache: new MutationCache({ onError: noticeSessionEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && canReadAgain(error),
      retryDelay: waitBeforeReading,
      refetchIntervalInBackground: false,
    },
    mutations: { retry: false },
  },
})

/** `runs.list` → `['runs', 'list', input]`, so a mutation can invalidate `['runs']`. */
export const endpointKey = <E extends Endpoint>(target: E, input: CallInput<E>) =>
  [...target.name.split('.'), input] as const

/** Key and fetcher of one call; call sites spread it and add their own options (polling, placeholder). */
export const endpointOptions = <E extends Endpoint>(target: E, input: CallInput<E>) =>
  queryOptions({
    queryKey: endpointKey(target, input),
    queryFn: ({ signal }) => call(target, input, signal),
  })

/** Returns the answer to a change once what the app has read under these keys has been read again. */
export const refresherOf =
  (...keys: readonly QueryKey[]) =>
  async <Answer>(answer: Promise<Answer>) => {
    const done = await answer
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    return done
  }
