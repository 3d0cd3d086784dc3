import type { CallInput } from '#contract/endpoint.ts'
import { addLabel, changeLabel, deleteLabel, listLabels, listTags } from '#contract/labels.ts'
import { call } from './call.ts'
import { endpointOptions, refresherOf } from './query-client.ts'

/** With `blind`, labels of others appear after the reader has tagged the run. */
export const labelListOptions = (runId: string, blind = false) =>
  endpointOptions(listLabels, { id: runId, ...(blind && { blind }) })

/** The organization's tags, most used first. */
export const tagListOptions = () => ({ ...endpointOptions(listTags, {}), staleTime: 60_000 })

/** A tag or a dispute also changes the run in lists. */
const thenRefresh = refresherOf(['labels'], ['runs'])

export const putLabel = (label: CallInput<typeof addLabel>) => thenRefresh(call(addLabel, label))

export const rewriteLabel = (change: CallInput<typeof changeLabel>) => thenRefresh(call(changeLabel, change))

export const removeLabel = (label: CallInput<typeof deleteLabel>) => thenRefresh(call(deleteLabel, label))
