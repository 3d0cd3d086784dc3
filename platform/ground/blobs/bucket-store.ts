import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3'

import { type BlobStore, type StoredBlob, storeIdKey } from './blobs.ts'
import { blobsDown } from '#platform/ground/failures/blobs-down.ts'
import type { BucketAddress } from './read-address.ts'

/** Larger blobs are written in parts, several at once. */
const maxSinglePut = 16 * 1024 * 1024
const partBytes = 8 * 1024 * 1024

/** An hour is far longer than any upload takes. */
const abandonedAfterMs = 60 * 60_000

const connectionTimeoutMs = 5000
/** Of a whole request: a part of a large blob takes far less. */
const defaultRequestTimeoutMs = 60_000

/**
 * Blobs as objects of an S3 bucket. Keys, roles and proxies come from the environment and the machine, as the AWS SDK
 * documents. Throws if the bucket cannot be used.
 */
export async function openBucketStore(
  { bucket, prefix, endpoint, region }: BucketAddress,
  { requestTimeoutMs = defaultRequestTimeoutMs } = {},
): Promise<BlobStore> {
  // Loaded only here, because most installations have no bucket.
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    // With an endpoint the SDK signs for this region; servers that are not AWS accept any.
    region: region ?? process.env['AWS_REGION'] ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      socketTimeout: requestTimeoutMs,
      // Or else a request beyond its time is only logged, and a store that hangs would stop its worker.
      throwOnRequestTimeout: true,
    },
  })
  const place = `s3://${bucket}/${prefix}`
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  await client.send(new s3.HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    throw new Error(`The bucket ${bucket} cannot be used: ${whyNoBucket(error)}`, { cause: error })
  })

  const get = (key: string) =>
    reaching(async () => {
      try {
        const { Body } = await client.send(new s3.GetObjectCommand(at(key)))
        return (await Body?.transformToByteArray()) ?? null
      } catch (error) {
        if (statusOf(error) === 404) return null
        throw error
      }
    })
  const readId = async () => {
    const bytes = await get(storeIdKey)
    return bytes && Buffer.from(bytes).toString('utf8').trim()
  }
  const sizeOf = (key: string) =>
    reaching(async () => {
      try {
        const { ContentLength } = await client.send(new s3.HeadObjectCommand(at(key)))
        return ContentLength ?? 0
      } catch (error) {
        if (statusOf(error) === 404) return null
        throw error
      }
    })
  return {
    place,
    put: (key, bytes) =>
      reaching(async () => {
        if (bytes.byteLength > maxSinglePut) return putInParts(client, { ...at(key), Body: bytes })
        await client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes }))
      }),
    get,
    has: async (key) => (await sizeOf(key)) !== null,
    sizeOf,
    delete: (key) =>
      reaching(async () => {
        await client.send(new s3.DeleteObjectCommand(at(key)))
      }),
    async *list(): AsyncGenerator<StoredBlob> {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })
      for await (const { Contents = [] } of pages) {
        for (const { Key = '', Size = 0 } of Contents) {
          const key = Key.slice(prefix.length)
          if (key !== storeIdKey) yield { key, bytes: Size }
        }
      }
    },
    readId,
    async writeId(id) {
      await reaching(async () => {
        const object = { ...at(storeIdKey), Body: `${id}\n`, IfNoneMatch: '*' }
        await client.send(new s3.PutObjectCommand(object)).catch((error: unknown) => {
          if (![409, 412].includes(statusOf(error) ?? 0)) throw error
        })
      })
      return (await readId()) ?? id
    },
    async removeUnfinished() {
      let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
      while (next) {
        const page: ListMultipartUploadsCommandOutput = await client.send(
          new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...next }),
        )
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (!Initiated || Date.now() - Initiated.getTime() < abandonedAfterMs) continue
          await client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        }
        next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
      }
    },
  }
}

async function putInParts(client: S3Client, params: { Bucket: string; Key: string; Body: Uint8Array }) {
  const { Upload } = await import('@aws-sdk/lib-storage')
  await new Upload({ client, params, partSize: partBytes }).done()
}

/** A failure of the network or the store, told apart from a refusal. */
async function reaching<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status >= 500 || status === 429) throw blobsDown(error)
    throw error
  }
}

/** The HTTP status of an answer of the store; undefined if there was none. */
function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode
}

function whyNoBucket(error: unknown) {
  const status = statusOf(error)
  if (status === 404) return 'it does not exist'
  if (status === 403) return 'the keys of this service may not use it'
  if (status === 301) return 'it is in another region: add ?region=… to its address'
  return error instanceof Error && error.message !== '' ? error.message : `the store answered with ${status}`
}
