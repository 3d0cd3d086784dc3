import { queryOptions } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { type Dimension, queryExperiment, queryOrganization, queryRun, type QueryResult } from '#contract/queries.ts'
import { call } from './call.ts'
import { endpointKey } from './query-client.ts'

/** The scope of a query route: the organization, an experiment, or one run by its composite id. */
export type QueryTarget =
  | { kind: 'organization' }
  | { kind: 'experiment'; experimentId: string }
  | { kind: 'run'; runId: string }

export type ModeledFields = Pick<
  CallInput<typeof queryExperiment>,
  | 'metrics'
  | 'groupBy'
  | 'interval'
  | 'agents'
  | 'models'
  | 'products'
  | 'environments'
  | 'prompts'
  | 'experimentVersion'
>

/** SQL, or the modeled fields of an experiment's query. */
type Statement = { sql: string } | ModeledFields

export type QueryRequest = {
  target: QueryTarget
  statement: Statement
  limit?: number
  includeTestAware?: boolean
}

type More = { dryRun?: boolean }

/** The result of one execution. A new `execution` runs the same statement again. Results are cached unchanged. */
export const queryResultOptions = (request: QueryRequest, execution: number) =>
  queryOptions({
    queryKey: ['queries', 'result', request, execution],
    queryFn: ({ signal }) => ask(request, {}, signal),
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    // 10,000 rows are replaced, never edited in place.
    structuralSharing: false,
  })

/** A dry run: returns the normalized statement, its columns and how much the engine would read. */
export const dryRun = (request: QueryRequest) => ask(request, { dryRun: true })

/** The observed values of a dimension, each with its number of runs. */
export const dimensionOptions = (experimentId: string, dimension: Dimension, experimentVersion?: string) =>
  queryOptions({
    queryKey: endpointKey(queryExperiment, { id: experimentId, discoverDimension: dimension, experimentVersion }),
    queryFn: async ({ signal }) => {
      const input = { id: experimentId, discoverDimension: dimension, experimentVersion, limit: 1000 }
      const { discovered } = await call(queryExperiment, input, signal)
      return discovered?.values ?? []
    },
    staleTime: 60_000,
  })

function ask({ target, statement, ...wishes }: QueryRequest, more: More, signal?: AbortSignal): Promise<QueryResult> {
  if (target.kind === 'experiment')
    return call(queryExperiment, { id: target.experimentId, ...statement, ...wishes, ...more }, signal)
  // Only an experiment can be queried with the builder.
  const sql = 'sql' in statement ? statement.sql : ''
  if (target.kind === 'organization') return call(queryOrganization, { sql, ...wishes, ...more }, signal)
  // A single run is always included, test-aware or not.
  return call(queryRun, { id: target.runId, sql, limit: wishes.limit, ...more }, signal)
}
