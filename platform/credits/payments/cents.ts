import { microsPerCent } from '#contract/wire/micros.ts'

/** Payment providers count in cents; every amount that can be reloaded is whole in them. */
export const toCents = (micros: bigint) => micros / microsPerCent
