import { queryOptions } from '@tanstack/react-query'

import type { ChartParameters } from '#contract/charts.ts'
import {
  type FailedRunList,
  type FailureKind,
  listFailedRuns,
  listFailureSignatures,
} from '#contract/failure-signatures.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { chartScopeInput } from './chart-scope-input.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

type More = { kind?: FailureKind | undefined; limit?: number }

/** The call for the failures of an experiment's runs by signature. */
export const failureSignaturesInput = (id: string, parameters: ChartParameters, { kind, limit }: More = {}) => ({
  id,
  groupBy: parameters.groupBy,
  ...chartScopeInput(parameters),
  ...(kind && { kind: [kind] }),
  ...(limit && { limit }),
})

export function failureSignaturesOptions(id: string, parameters: ChartParameters, more: More = {}) {
  const input = failureSignaturesInput(id, parameters, { limit: limits.failureSignatures.max, ...more })
  return queryOptions({
    queryKey: endpointKey(listFailureSignatures, input),
    queryFn: async ({ signal }) => {
      const response = await call(listFailureSignatures, input, signal)
      return { ...response, pendingRuns: response.pendingRuns ?? 0 }
    },
  })
}

const runsOf = ({ runs }: FailedRunList) => runs

/** The runs with a signature, of one group or of all. */
export function failedRunsOptions(
  id: string,
  parameters: ChartParameters,
  { signature, group }: { signature: string; group: string | null },
) {
  const input = {
    id,
    signature,
    groupBy: parameters.groupBy,
    ...chartScopeInput(parameters),
    ...(group !== null && { groupValue: group }),
  }
  return infiniteListOptions({
    queryKey: [...endpointKey(listFailedRuns, input), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listFailedRuns, { ...input, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken ?? null,
    rowsOf: runsOf,
  })
}
