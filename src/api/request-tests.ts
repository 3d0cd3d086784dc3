import { queryOptions } from '@tanstack/react-query'

import { type CapturedTest, listTests } from '#contract/tests.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { pollInterval } from './polling.ts'
import { endpointKey } from './query-client.ts'

/** A captured test without its output. */
export type TestOutcome = Omit<CapturedTest, 'stdoutTail' | 'stderrTail'>

/** `isCapped`: the request has more tests than a page can show. */
export type RequestTests = { tests: readonly TestOutcome[]; isCapped: boolean }

export const requestTestCap = 20_000

/** The outcome of every test of every run of a request. Data read before `runsSeenAt` may lack the last runs. */
export const requestTestsOptions = (requestId: string, live: { isLive: boolean; runsSeenAt: number }) => {
  const input = { id: requestId, omitTails: true, pageSize: limits.tests.max }
  return queryOptions({
    queryKey: endpointKey(listTests, input),
    queryFn: async ({ signal }): Promise<RequestTests> => {
      const tests: TestOutcome[] = []
      let pageToken: string | undefined
      do {
        const page = await call(listTests, { ...input, pageToken }, signal)
        tests.push(...page.tests)
        pageToken = page.nextPageToken
      } while (pageToken && tests.length < requestTestCap)
      return { tests, isCapped: pageToken !== undefined }
    },
    staleTime: 60_000,
    refetchInterval: ({ state: { data, dataUpdatedAt, fetchFailureCount } }) =>
      data && (live.isLive || dataUpdatedAt < live.runsSeenAt) ? pollInterval(600_000, fetchFailureCount, 0.5) : false,
  })
}
