import { queryOptions } from '@tanstack/react-query'

import { downloadChanges, getChangedFile, listChanges } from '#contract/changes.ts'
import { call } from './call.ts'
import { download } from './download.ts'
import { endpointKey } from './query-client.ts'

/** The files that the agent of an ended run changed. They never change again. */
export const changesOptions = (runId: string) =>
  queryOptions({
    queryKey: endpointKey(listChanges, { id: runId }),
    queryFn: ({ signal }) => call(listChanges, { id: runId }, signal),
    staleTime: Infinity,
  })

/** Both sides of a changed file. */
export const changedFileOptions = (runId: string, path: string) =>
  queryOptions({
    queryKey: endpointKey(getChangedFile, { id: runId, path }),
    queryFn: ({ signal }) => call(getChangedFile, { id: runId, path }, signal),
    staleTime: Infinity,
  })

/** The patch of a changed file, as text. */
export const filePatchOptions = (runId: string, path: string) => {
  const input = { id: runId, format: 'patch', path } as const
  return queryOptions({
    queryKey: endpointKey(downloadChanges, input),
    queryFn: async ({ signal }) => (await download(downloadChanges, input, { signal, onProgress: () => {} })).text(),
    staleTime: Infinity,
  })
}
