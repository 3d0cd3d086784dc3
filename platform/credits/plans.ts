import { microsPerDollar } from '#contract/wire/micros.ts'

export type Plan = 'free' | 'paid'

/** Spec "Buckets": what every plan has each cycle, and what a paid one adds. */
export const baseMicros = 25n * microsPerDollar
export const incrementMicros = 125n * microsPerDollar
