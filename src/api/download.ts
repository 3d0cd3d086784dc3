import { type CallInput, type Endpoint, toRequestParts } from '#contract/endpoint.ts'
import { exportTypes, totalHeader } from '#contract/run-export.ts'
import { request } from './call.ts'
import { ApiError } from './errors.ts'
import { currentOrganizationId } from './organization.ts'
import { countRows, endsLikeParquet } from './rows-of-file.ts'

export type DownloadProgress = {
  /** The number of rows of the whole file. */
  total: number
  /** The rows received so far; null for a file whose rows cannot be counted before its end. */
  rows: number | null
  bytes: number
}

type Options = { signal: AbortSignal; onProgress: (progress: DownloadProgress) => void }

/**
 * Downloads a file of the API. A connection that is cut, or a table with fewer rows than announced, is an ApiError and
 * never a shorter file.
 */
export async function download<E extends Endpoint>(target: E, input: CallInput<E>, { signal, onProgress }: Options) {
  const { path, query } = toRequestParts(target, {
    ...(input as Record<string, unknown>),
    orgId: currentOrganizationId(),
  })
  const url = `${path}?${query}`
  const response = await request({ method: 'GET', url, signal, responseType: target.fileTypes.join(', ') })
  const total = Number(response.headers.get(totalHeader))
  const type = response.headers.get('content-type') ?? ''
  const counter = countRows(type)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for await (const part of readParts(response)) {
      parts.push(part)
      bytes += part.length
      counter?.push(part)
      onProgress({ total, rows: counter ? counter.rows() : null, bytes })
    }
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiError('unreachable', 'The connection was cut before the file was complete', { cause })
  }
  const isParquet = type.startsWith(exportTypes.parquet)
  const isWhole = counter ? counter.rows() === total : !isParquet || endsLikeParquet(parts)
  if (!isWhole) throw new ApiError('unexpected_response', 'The file is not complete')
  return new Blob(parts, { type })
}

async function* readParts({ body }: Response) {
  const reader = body?.getReader()
  if (!reader) return
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
}
