/** Bytes by key: staged packages, transcripts. Keys are slash-separated names that we choose, never a caller's text. */
export type Blobs = {
  /** Writes all or nothing: a reader never sees part of a blob, even after a kill. */
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /** Null when there is none. */
  get: (key: string) => Promise<Uint8Array | null>
  has: (key: string) => Promise<boolean>
  /** In bytes. Null when there is none. */
  sizeOf: (key: string) => Promise<number | null>
  delete: (key: string) => Promise<void>
}

/** A folder or a bucket, with what its operator needs besides reading and writing. */
export type BlobStore = Blobs & {
  /** How messages name it. */
  place: string
  /** Every blob, in any order, with its size in bytes; not the store's own id. */
  list: () => AsyncIterable<StoredBlob>
  /** The id that ties the store to its database, or null. */
  readId: () => Promise<string | null>
  /** Writes an id, whole or not at all, unless there is one. Returns the store's id. */
  writeId: (id: string) => Promise<string>
  /** Removes what killed processes left half written. */
  removeUnfinished: () => Promise<unknown>
}

export type StoredBlob = { key: string; bytes: number }

/** The key, or the name of the file, of a store's id. */
export const storeIdKey = 'store-id'
