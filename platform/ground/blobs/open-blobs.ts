import { join, resolve } from 'node:path'

import type { BlobStore } from './blobs.ts'
import { openBucketStore } from './bucket-store.ts'
import { folderStore } from './folder-blobs.ts'
import { type BucketAddress, readBucketAddress } from './read-address.ts'

/** The store of an installation: its bucket, or a folder in its data folder. */
export const openBlobs = async (settings: { dataFolder: string; bucket: BucketAddress | null }): Promise<BlobStore> =>
  settings.bucket ? openBucketStore(settings.bucket) : folderStore(join(settings.dataFolder, 'blobs'))

/** The store that an operator names: a folder or an `s3://` address. Throws for an address that cannot be read. */
export async function openPlace(place: string): Promise<BlobStore> {
  if (!place.startsWith('s3:')) return folderStore(resolve(place))
  return openBucketStore(readPlace(place))
}

function readPlace(place: string) {
  try {
    return readBucketAddress(place)
  } catch (error) {
    throw new Error(`--from and --to: the bucket address ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}
