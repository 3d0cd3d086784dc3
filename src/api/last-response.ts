let respondedAt = Number.NEGATIVE_INFINITY

/** Notes that the platform has just answered a call. */
export const noteResponse = () => void (respondedAt = performance.now())

/** Milliseconds since the platform last answered a call of this page. */
export const msSinceResponse = () => performance.now() - respondedAt
