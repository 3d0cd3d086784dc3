import { queryOptions } from '@tanstack/react-query'

import { type CapturedTest, listTests } from '#contract/tests.ts'
import { call } from './call.ts'
import { pollInterval } from './polling.ts'
import { endpointKey } from './query-client.ts'

const pageSize = 200

/** Every captured test of a run. Failing tests are shown first, so all must be loaded. */
export const testListOptions = (runId: string, { isLive, runSeenAt }: { isLive: boolean; runSeenAt: number }) =>
  queryOptions({
    queryKey: endpointKey(listTests, { id: runId }),
    queryFn: async ({ signal }) => {
      const tests: CapturedTest[] = []
      let pageToken: string | undefined
      do {
        const page = await call(listTests, { id: runId, pageSize, pageToken }, signal)
        tests.push(...page.tests)
        pageToken = page.nextPageToken
      } while (pageToken)
      return tests
    },
    refetchInterval: ({ state: { data, dataUpdatedAt, fetchFailureCount } }) =>
      data && (isLive || dataUpdatedAt < runSeenAt) ? pollInterval(60_000, fetchFailureCount, 0.5) : false,
  })
