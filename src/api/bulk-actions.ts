import { queryOptions } from '@tanstack/react-query'

import {
  type BulkAction,
  getBulkAction,
  listBulkActions,
  proposeBulkAction,
  startBulkAction,
  stopBulkAction,
} from '#contract/bulk-actions.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { endpointKey, queryClient } from './query-client.ts'

export type Proposal = CallInput<typeof proposeBulkAction>

const pollMs = 1000

const isRunning = ({ state }: Pick<BulkAction, 'state'>) => state === 'running'

/** Whatever an action has done since the last look is new in the lists of runs. */
async function refreshRuns() {
  await Promise.all(
    ['runs', 'labels', 'experiments'].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })),
  )
}

const doneOf = (actions: readonly BulkAction[]) => actions.map(({ id, state, progress }) => [id, state, progress.done])

/** The newest actions of everybody. Polls while one is running. */
export const bulkActionListOptions = () =>
  queryOptions({
    queryKey: endpointKey(listBulkActions, {}),
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<{ actions: BulkAction[] }>(queryKey)
      const news = await call(listBulkActions, {}, signal)
      if (known && JSON.stringify(doneOf(known.actions)) !== JSON.stringify(doneOf(news.actions))) void refreshRuns()
      return news
    },
    refetchInterval: ({ state }) => (state.data?.actions.some(isRunning) ? pollMs : false),
  })

export const bulkActionOptions = (actionId: string) =>
  queryOptions({
    queryKey: endpointKey(getBulkAction, { actionId }),
    queryFn: ({ signal }) => call(getBulkAction, { actionId }, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollMs : false),
  })

export const proposeAction = (proposal: Proposal) => call(proposeBulkAction, proposal)

/** Shows the answer at once, and the list with it. */
async function show(answer: Promise<BulkAction>) {
  const action = await answer
  queryClient.setQueryData(bulkActionOptions(action.id).queryKey, action)
  await queryClient.invalidateQueries({ queryKey: endpointKey(listBulkActions, {}) })
  return action
}

export const startAction = (input: CallInput<typeof startBulkAction>) => show(call(startBulkAction, input))

export const stopAction = (actionId: string) => show(call(stopBulkAction, { actionId }))
