const separator = '::'

/**
 * Whether an id is a run's composite id, `<variant_id>::<hash>`, which is percent-encoded in paths. Any other id is
 * that of a run request.
 */
export const isCompositeRunId = (id: string) => id.includes(separator)

export const compositeRunId = (variantId: string, hash: string) => `${variantId}${separator}${hash}`
