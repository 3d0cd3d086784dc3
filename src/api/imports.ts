import { queryOptions } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import {
  addImportFiles,
  createImport,
  deleteImport,
  getImport,
  type Import,
  listImports,
  previewImport,
  startImport,
  undoImport,
} from '#contract/imports.ts'
import { call } from './call.ts'
import { isWorking } from './import-states.ts'
import { packParts } from './pack-parts.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

const pollMs = 1000

/** What an import made or removed is new in lists and charts. The import itself is being read, and must not start again. */
async function refreshResults() {
  const stale = [...['runs', 'experiments', 'charts', 'home'].map((noun) => [noun]), endpointKey(listImports, {})]
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Polls while the platform works on it. */
export const importOptions = (importId: string) =>
  queryOptions({
    queryKey: endpointKey(getImport, { importId }),
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<Import>(queryKey)
      const news = await call(getImport, { importId }, signal)
      if (known && isWorking(known) && !isWorking(news)) void refreshResults()
      return news
    },
    refetchInterval: ({ state }) => (state.data && isWorking(state.data) ? pollMs : false),
  })

export const importListOptions = () => endpointOptions(listImports, {})

/** Shows the answer at once. */
async function show(answer: Promise<Import>) {
  const found = await answer
  queryClient.setQueryData(importOptions(found.id).queryKey, found)
  return found
}

export const readImport = (input: CallInput<typeof previewImport>) => show(call(previewImport, input))
export const beginImport = (input: CallInput<typeof startImport>) => show(call(startImport, input))
export const revertImport = (importId: string) => show(call(undoImport, { importId }))
export const removeImport = (importId: string) => call(deleteImport, { importId })

/** A file with its path in the folder that was dropped. */
export type Upload = { path: string; file: File }

/** Sends files to a new import, and has them read. `onProgress` gets the share of bytes that arrived. */
export async function uploadFiles(uploads: readonly Upload[], onProgress: (share: number) => void): Promise<Import> {
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const { id } = await call(createImport, {})
  let sent = 0
  for (const parts of packParts(uploads, ({ file }) => file.size)) {
    const content = await toBase64(
      new Blob(parts.map(({ file: { file }, offset, bytes }) => file.slice(offset, offset + bytes))),
    )
    const places = parts.map(({ file: { path }, offset, bytes }) => ({ path, offset, bytes }))
    await call(addImportFiles, { importId: id, parts: places, content })
    sent += parts.reduce((sum, { bytes }) => sum + bytes, 0)
    onProgress(total === 0 ? 1 : sent / total)
  }
  return readImport({ importId: id })
}

const toBase64 = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,?/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')))
    reader.readAsDataURL(blob)
  })
