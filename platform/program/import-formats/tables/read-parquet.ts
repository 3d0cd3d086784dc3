import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

import { messageOf } from '#contract/wire/message-of.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import { lz4Block, lz4Page } from './lz4.ts'

type Row = Record<string, unknown>

/** Reading a part of a group decodes it from its start, so only groups that fill the memory are read in parts. */
const bytesTogether = 64 * 1024 * 1024

/** A page is never larger than it says, whatever its bytes unpack to. */
const compressors = {
  GZIP: (page: Uint8Array, size: number) => gunzipSync(page, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (page: Uint8Array, size: number) => brotliDecompressSync(page, { maxOutputLength: Math.max(1, size) }),
  ZSTD: (page: Uint8Array, size: number) => zstdDecompressSync(page, { maxOutputLength: Math.max(1, size) }),
  LZ4: lz4Page,
  LZ4_RAW: lz4Block,
}

/** The rows of a Parquet file, group by group. */
export async function* readParquet(source: ResultFile): AsyncGenerator<Row> {
  try {
    yield* readGroups(source)
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`its Parquet data cannot be read: ${reason}`, { cause: error })
  }
}

async function* readGroups({ root, inside }: ResultFile): AsyncGenerator<Row> {
  const file = await asyncBufferFromFile(`${root}/${inside}`)
  const metadata = await parquetMetadataAsync(file)
  let start = 0
  for (const { num_rows: count, total_byte_size: bytes } of metadata.row_groups) {
    const parts = Math.max(1, Math.ceil(Number(bytes) / bytesTogether))
    const together = Math.max(1, Math.ceil(Number(count) / parts))
    for (let from = start; from < start + Number(count); from += together)
      for (const row of await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart: from,
        rowEnd: Math.min(start + Number(count), from + together),
      }))
        yield toPlain(row)
    start += Number(count)
  }
}

const maxDepth = 20

const toPlain = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))

/** Large numbers are bigints in Parquet, also in lists and groups. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null || value instanceof Date || depth > maxDepth) return value
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, depth + 1)]))
}
