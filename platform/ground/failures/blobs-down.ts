/** The code of an error for a store that does not answer: the write may be repeated. */
export const blobsDownCode = 'BLOBS_DOWN'

export const blobsDown = (cause: unknown) =>
  Object.assign(new Error('The storage for packages and transcripts is not responding', { cause }), {
    code: blobsDownCode,
  })
