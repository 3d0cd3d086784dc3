import { queryOptions } from '@tanstack/react-query'

import {
  type ContextRecord,
  type ContextRecordList,
  type ContextVersionList,
  createContextRecord,
  getContextRecord,
  getContextVersion,
  listContextRecords,
  listContextVersions,
  restoreContextVersion,
} from '#contract/context-records.ts'
import type { ContextSnapshot } from '#contract/context-suggestions.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { readSnapshot, type RecordTarget, reloadContext } from './context-suggestions.ts'
import { isMissing } from './errors.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

const recordsOf = ({ records }: ContextRecordList) => records

/** Fails with an error that `isMissing` where the platform can’t list records. */
export const recordPagesOptions = (filters: Omit<CallInput<typeof listContextRecords>, 'pageToken'>) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listContextRecords, filters), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listContextRecords, { ...filters, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: recordsOf,
  })

/** Whether the platform lists records. One that does has their history and everyone's suggestions too. */
export const listsRecordsOptions = () =>
  queryOptions({
    queryKey: [...endpointKey(listContextRecords, { pageSize: 1 }), 'exists'],
    queryFn: async ({ signal }) => {
      try {
        await call(listContextRecords, { pageSize: 1 }, signal)
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    staleTime: Infinity,
  })

/** A record. Where the platform lacks our additions, only what the API document has. */
export type ReadRecord = ContextSnapshot & Partial<Omit<ContextRecord, keyof ContextSnapshot>>

export const recordOptions = (target: RecordTarget) =>
  queryOptions({
    queryKey: endpointKey(getContextRecord, target),
    queryFn: ({ signal }) => readRecord(target, signal),
  })

async function readRecord(target: RecordTarget, signal: AbortSignal): Promise<ReadRecord> {
  try {
    return await call(getContextRecord, target, signal)
  } catch (error) {
    if (!isMissing(error) || (await queryClient.fetchQuery(listsRecordsOptions()))) throw error
    return readSnapshot(target, signal)
  }
}

const versionsOf = ({ versions }: ContextVersionList) => versions

/** Newest first. */
export const versionPagesOptions = (target: RecordTarget) =>
  infiniteListOptions({
    queryKey: [...endpointKey(listContextVersions, target), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listContextVersions, { ...target, pageToken: pageParam }, signal),
    getNextPageParam: (last) => last.nextPageToken,
    rowsOf: versionsOf,
  })

/** A version never changes. */
export const recordVersionOptions = (target: RecordTarget, revision: number) => ({
  ...endpointOptions(getContextVersion, { ...target, revision: String(revision) }),
  staleTime: Infinity,
})

/** Throws `already_exists` and writes nothing if the record has changed since it was read. */
export async function restoreRecord(input: CallInput<typeof restoreContextVersion>) {
  // After a conflict too: the page then shows what the record has become.
  return call(restoreContextVersion, input).finally(reloadContext)
}

export async function createRecord(input: CallInput<typeof createContextRecord>) {
  const record = await call(createContextRecord, input)
  await reloadContext()
  return record
}
