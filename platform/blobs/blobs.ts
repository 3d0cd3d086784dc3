/** Bytes by key: staged packages, transcripts. Keys are slash-separated names that we choose, never a caller's text. */
export type Blobs = {
  /** Writes all or nothing: a reader never sees part of a blob, even after a kill. */
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /** Null when there is none. */
  get: (key: string) => Promise<Uint8Array | null>
  has: (key: string) => Promise<boolean>
  delete: (key: string) => Promise<void>
}
