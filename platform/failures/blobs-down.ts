/** The code of an error for a store that does not answer: the write may be repeated. */
export const blobsDownCode = 'BLOBS_DOWN'

export const blobsDown = (cause: unknown) =>
  Object.assign(new Error('The file store does not answer', { cause }), { code: blobsDownCode })
