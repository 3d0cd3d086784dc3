import type { LeaderboardSummary } from '#contract/leaderboard.ts'

/** What runs over time are grouped by. */
export type DateUnit = 'day' | 'week'

/** The versions, days or weeks of a summary that is grouped by them last. */
export const stepsOf = ({ groups }: LeaderboardSummary) => [...new Set(groups.map(({ values }) => values.at(-1) ?? ''))]

const dayMs = 24 * 60 * 60 * 1000
const daysOf: Record<DateUnit, number> = { day: 1, week: 7 }

/** Days are shown up to this span, and weeks above. */
const mostDays = 62

/** The unit in which dates are shown. */
export function unitOfSpan(days: readonly string[]): DateUnit {
  const [first, last] = endsOf(days)
  return last - first > mostDays * dayMs ? 'week' : 'day'
}

/** Every day or week from the first date to the last, so that a pause is as wide as it was long. */
export function fillDates(dates: readonly string[], unit: DateUnit): string[] {
  if (dates.length === 0) return []
  const [first, last] = endsOf(dates)
  const step = daysOf[unit] * dayMs
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, place) =>
    new Date(first + place * step).toISOString().slice(0, 10),
  )
}

function endsOf(dates: readonly string[]): [first: number, last: number] {
  const sorted = dates.toSorted()
  return [Date.parse(sorted[0] ?? ''), Date.parse(sorted.at(-1) ?? '')]
}
