import { queryOptions } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import {
  type Experiment,
  type ExperimentList,
  forkExperiment,
  getExperiment,
  getYaml,
  listExperiments,
  listVersions,
  pushExperiment,
} from '#contract/experiments.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { pollWhileUnfinished } from './polling.ts'
import { readWholeList } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export type ExperimentFilters = CallInput<typeof listExperiments>

export const experimentListOptions = (filters: ExperimentFilters) => ({
  ...endpointOptions(listExperiments, filters),
  refetchInterval: pollWhileUnfinished(newestUnfinished),
})

/** Every experiment that matches, so that the page can sort and export all of them. */
export const wholeExperimentListOptions = (filters: Omit<ExperimentFilters, 'limit' | 'pageToken'> = {}) => {
  const whole = { ...filters, limit: limits.experiments.max }
  return queryOptions({
    queryKey: [...endpointKey(listExperiments, whole), 'whole'],
    queryFn: async ({ signal }): Promise<ExperimentList> => ({ experiments: await readExperiments(whole, signal) }),
    refetchInterval: pollWhileUnfinished(newestUnfinished),
  })
}

const readExperiments = (filters: ExperimentFilters, signal: AbortSignal) =>
  readWholeList(
    {
      readPage: (pageToken) => call(listExperiments, { ...filters, pageToken }, signal),
      nextToken: ({ nextPageToken }) => nextPageToken,
      rowsOf: ({ experiments }) => experiments,
    },
    signal,
  )

/** Every experiment with its names and axes, for filter options. They rarely change. */
export const allExperimentsOptions = () => ({
  ...wholeExperimentListOptions(),
  refetchInterval: undefined,
  staleTime: 60_000,
})

export const experimentOptions = (id: string, version?: string) => ({
  ...endpointOptions(getExperiment, { id, version }),
  refetchInterval: pollWhileUnfinished((experiment: Experiment) =>
    experiment.unfinishedRunCount > 0 ? experiment.lastActivityAt : null,
  ),
})

export const versionListOptions = (id: string) => endpointOptions(listVersions, { id })

/** The YAML as pushed. For one fingerprint only comments and layout can change, through an identical push. */
export const experimentYamlOptions = (id: string, version?: string) => ({
  ...endpointOptions(getYaml, { id, version }),
  staleTime: version === undefined ? 0 : Infinity,
})

export async function pushDefinition(experimentYaml: string) {
  const receipt = await call(pushExperiment, { experimentYaml })
  const { experimentId, fingerprint } = receipt
  // The page opens the new version, so its text is cached before the list includes it.
  await queryClient.prefetchQuery(experimentYamlOptions(experimentId, fingerprint))
  await queryClient.invalidateQueries({ queryKey: ['experiments'] })
  return receipt
}

/** Copies the latest version, package included, as a new experiment. */
export async function fork(input: CallInput<typeof forkExperiment>) {
  const receipt = await call(forkExperiment, input)
  await queryClient.invalidateQueries({ queryKey: ['experiments'] })
  return receipt
}

function newestUnfinished({ experiments }: ExperimentList) {
  const active = experiments.filter(({ unfinishedRunCount }) => unfinishedRunCount > 0)
  return active.map(({ lastActivityAt }) => lastActivityAt).reduce((a, b) => (a > b ? a : b), '') || null
}
