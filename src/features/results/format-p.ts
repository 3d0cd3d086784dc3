import { gap } from '#src/format/numbers.ts'

/** `0.032`; what is smaller than a thousandth is only said to be. */
export const formatP = (p: number | null) => (p === null ? gap : p < 0.001 ? '< 0.001' : p.toFixed(3))
