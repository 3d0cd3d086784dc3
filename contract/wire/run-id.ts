const separator = '::'

/**
 * Whether an id is a run's composite id, `<variant_id>::<hash>`, which is percent-encoded in paths. Any other id is
 * that of a run request.
 */
export const isCompositeRunId = (id: string) => id.includes(separator)

export const compositeRunId = (variantId: string, hash: string) => `${variantId}${separator}${hash}`

/** Returns the hash of a composite id, which distinguishes the runs of one variant. */
export const hashOfRunId = (id: string) => id.slice(id.lastIndexOf(separator) + separator.length)
