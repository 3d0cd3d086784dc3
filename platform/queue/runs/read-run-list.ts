import type { VerbInput } from '#contract/endpoint.ts'
import { toTagName } from '#contract/labels.ts'
import type { listRuns } from '#contract/run-list.ts'
import { readStatusFilter } from '#contract/run-status.ts'
import { readSorted } from '#contract/wire/sort-param.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import type { RunFilter } from './filter-store.ts'
import { newestFirst, type RunSort } from './order-store.ts'

type Input = Omit<VerbInput<typeof listRuns>, 'changedSince' | 'countSolved' | 'limit' | 'pageToken'>

export const isNewestFirst = ({ field, isDescending }: RunSort) =>
  field === newestFirst.field && isDescending === newestFirst.isDescending

/** The filter and the order that a request asks for. `listKey` is the same for the pages of one list. */
export function readRunList({ organization }: SharedContext, input: Input) {
  const sort = input.sort ? readSorted<RunSort['field']>(input.sort) : newestFirst
  const filter: RunFilter = {
    organizationId: organization.id,
    experimentId: input.experimentId,
    statuses: readStatusFilter(input.status ?? []),
    agents: input.agent,
    agentModes: input.agentMode,
    models: input.model,
    products: input.product,
    environments: input.environment,
    prompts: input.prompt,
    variants: input.variant,
    triggeredBy: input.triggeredBy?.map((id) => id.toLowerCase()),
    updatedSince: input.since,
    versionScope: input.versionScope,
    testAwareOnly: input.testAware,
    withoutTestAware: input.withoutTestAware,
    timedOutOnly: input.timedOut,
    planLimitedOnly: input.planLimited,
    runRequestId: input.runRequestId,
    search: input.search?.trim(),
    results: input.result,
    endings: input.ending,
    tags: input.tag?.map(toTagName),
    disputedOnly: input.disputed,
    bulkActionId: input.bulkAction,
    endedSince: input.endedSince,
    endedBefore: input.endedBefore,
    meteredOnly: input.metered,
    withoutModel: input.withoutModel,
    infrastructureCauses: input.infrastructureCause,
    score: readScore(input),
    exitCodes: input.exitCode?.map((code) => (code === 'nonzero' ? code : Number(code))),
  }
  const listKey = isNewestFirst(sort) ? (['runs', filter] as const) : (['runs', filter, sort] as const)
  return { filter, sort, listKey }
}

function readScore({ score: name, scoreAtLeast: atLeast, scoreBelow: below }: Input): RunFilter['score'] {
  if (name !== undefined) return { name, atLeast, below }
  if (atLeast === undefined && below === undefined) return undefined
  throw invalid('`score_at_least` and `score_below` need `score`, the name of the score')
}
