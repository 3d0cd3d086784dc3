import { microsPerCent } from '#contract/wire/micros.ts'

/** Payment providers count in cents. Every amount that can be reloaded is a whole number of cents. */
export const toCents = (micros: bigint) => micros / microsPerCent
