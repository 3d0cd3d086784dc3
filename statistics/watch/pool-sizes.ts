/** The number of newest starts that passed, with which a start is compared. */
export const pooledStarts = 10

/** The number of newest starts over which a decline is looked for. */
export const trendStarts = 30
