const separator = '::'

/** A run's composite id, `<variant_id>::<hash>`; percent-encode it in paths. Any other id names a run request. */
export const isCompositeRunId = (id: string) => id.includes(separator)

export const compositeRunId = (variantId: string, hash: string) => `${variantId}${separator}${hash}`

/** The hash of a composite id: what tells the runs of one variant apart. */
export const hashOfRunId = (id: string) => id.slice(id.lastIndexOf(separator) + separator.length)
