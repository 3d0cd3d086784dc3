import { microsPerDollar } from '#contract/wire/micros.ts'

/** Payment providers count in cents; every amount that can be reloaded is whole in them. */
export const microsPerCent = microsPerDollar / 100n

export const toCents = (micros: bigint) => Number(micros / microsPerCent)
