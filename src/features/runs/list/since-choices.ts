const hour = 3_600_000

/** Floors on the last status update that people ask for. */
export const sinceChoices = [
  { label: 'Last hour', ms: hour },
  { label: 'Last 24 hours', ms: 24 * hour },
  { label: 'Last 7 days', ms: 7 * 24 * hour },
  { label: 'Last 30 days', ms: 30 * 24 * hour },
] as const

/** Whole minutes, so that choosing the same span twice in a row is the same URL. */
export const sinceBefore = (ms: number, now: number) => new Date(Math.floor((now - ms) / 60_000) * 60_000).toISOString()
