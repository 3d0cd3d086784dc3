import { microsPerDollar } from '#contract/wire/micros.ts'

export type Plan = 'free' | 'paid'

/** The credit that every plan gets each cycle, and the increment that the paid plan adds. */
export const baseMicros = 25n * microsPerDollar
export const incrementMicros = 125n * microsPerDollar
