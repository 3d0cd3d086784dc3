import { queryOptions } from '@tanstack/react-query'

import { type CallInput, toRequestParts } from '#contract/endpoint.ts'
import { exportExperiment } from '#contract/experiment-archive.ts'
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
import { serverNow } from '#src/format/server-clock.ts'
import { call } from './call.ts'
import { currentOrganizationId } from './organization.ts'
import { pollWhileUnfinished } from './polling.ts'
import { infiniteListOptions, type Pages, readWholeList } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient, refresherOf } from './query-client.ts'

export type ExperimentFilters = CallInput<typeof listExperiments>

export const experimentListOptions = (filters: ExperimentFilters) => ({
  ...endpointOptions(listExperiments, filters),
  refetchInterval: pollWhileUnfinished(newestUnfinished),
})

/** The filters and the order of the list. */
export type ListedExperiments = Omit<ExperimentFilters, 'limit' | 'pageToken'>

const experimentsOf = ({ experiments }: ExperimentList) => experiments

/** The list, page by page, in the order of `sort`. Polls the loaded pages while a run of them is unfinished. */
export const experimentPagesOptions = (filters: ListedExperiments) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listExperiments, filters), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listExperiments, { ...filters, pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    rowsOf: experimentsOf,
    refetchInterval: pollWhileUnfinished(({ pages }: Pages<ExperimentList>) =>
      newestUnfinished({ experiments: pages.flatMap(experimentsOf) }),
    ),
  })

/** Every experiment with its names and axes, for filter options. They rarely change. */
export const allExperimentsOptions = (filters: Pick<ExperimentFilters, 'imported'> = {}) => {
  const page = { ...filters, limit: limits.experiments.max }
  return queryOptions({
    queryKey: [...endpointKey(listExperiments, page), 'whole'],
    queryFn: async ({ signal }): Promise<ExperimentList> => ({
      experiments: await readWholeList(
        {
          readPage: (pageToken) => call(listExperiments, { ...page, pageToken }, signal),
          nextToken: ({ nextPageToken }) => nextPageToken,
          rowsOf: experimentsOf,
        },
        signal,
      ),
    }),
    staleTime: 60_000,
  })
}

const importPauseMs = 10 * 60_000

/** Whether more results may come soon, such as those of a job that somebody follows. */
const isBeingImported = ({ imported, lastActivityAt }: Experiment) =>
  imported && serverNow() - Date.parse(lastActivityAt) < importPauseMs

export const experimentOptions = (id: string, version?: string) => ({
  ...endpointOptions(getExperiment, { id, version }),
  refetchInterval: pollWhileUnfinished((experiment: Experiment) =>
    experiment.unfinishedRunCount > 0 || isBeingImported(experiment) ? experiment.lastActivityAt : null,
  ),
})

export const versionListOptions = (id: string) => endpointOptions(listVersions, { id })

/** The YAML as pushed. For one fingerprint only comments and layout can change, through an identical push. */
export const experimentYamlOptions = (id: string, version?: string) => ({
  ...endpointOptions(getYaml, { id, version }),
  staleTime: version === undefined ? 0 : Infinity,
})

/** With the package of a stored version, if one is named; an empty message is none. */
export async function pushDefinition(
  experimentYaml: string,
  { message, packageOf }: { message: string; packageOf: string | undefined },
) {
  const receipt = await call(pushExperiment, {
    experimentYaml,
    ...(message.trim() !== '' && { message }),
    ...(packageOf && { packageOfVersion: packageOf }),
  })
  const { experimentId, fingerprint } = receipt
  // The page opens the new version, so its text is cached before the list includes it.
  await queryClient.prefetchQuery(experimentYamlOptions(experimentId, fingerprint))
  await queryClient.invalidateQueries({ queryKey: ['experiments'] })
  return receipt
}

/** Copies the latest version, package included, as a new experiment. */
export const fork = (input: CallInput<typeof forkExperiment>) =>
  refresherOf(['experiments'])(call(forkExperiment, input))

function newestUnfinished({ experiments }: ExperimentList) {
  const active = experiments.filter(({ unfinishedRunCount }) => unfinishedRunCount > 0)
  return active.map(({ lastActivityAt }) => lastActivityAt).reduce((a, b) => (a > b ? a : b), '') || null
}

/** The address of an export, which the browser writes to a file while it arrives. */
export function archiveUrl(id: string) {
  const { path, query } = toRequestParts(exportExperiment, { id, orgId: currentOrganizationId() })
  return `${path}?${query}`
}
