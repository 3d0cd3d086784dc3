let answeredAt = Number.NEGATIVE_INFINITY

/** Notes that the platform has just answered a call. */
export const noteAnswer = () => void (answeredAt = performance.now())

/** Milliseconds since the platform last answered a call of this page. */
export const sinceLastAnswer = () => performance.now() - answeredAt
