/** Milliseconds since 1970, UTC: the ledger's unit of time. */
export type UnixMs = number

/**
 * The start of a billing cycle, in Unix milliseconds: `ordinal` calendar months after the anniversary, at the same time
 * of day. In a month without the anniversary's day, it is the last day of the month.
 */
export function cycleStart(anniversary: UnixMs, ordinal: number): UnixMs {
  const first = new Date(anniversary)
  const start = new Date(anniversary)
  start.setUTCDate(1)
  start.setUTCMonth(first.getUTCMonth() + ordinal)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  start.setUTCDate(Math.min(first.getUTCDate(), lastDay))
  return start.getTime()
}
