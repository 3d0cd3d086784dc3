/** Milliseconds since 1970, UTC: the ledger's unit of time. */
export type Moment = number

/**
 * When the `ordinal`-th billing cycle of an anniversary begins: that many calendar months later at the same time of day,
 * or on the last day of a month too short for the anniversary's day.
 */
export function cycleStart(anniversary: Moment, ordinal: number): Moment {
  const first = new Date(anniversary)
  const start = new Date(anniversary)
  start.setUTCDate(1)
  start.setUTCMonth(first.getUTCMonth() + ordinal)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  start.setUTCDate(Math.min(first.getUTCDate(), lastDay))
  return start.getTime()
}
