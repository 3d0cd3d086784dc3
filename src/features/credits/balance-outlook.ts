import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'

type Balance = { at: number; value: number }

export type Forecast = {
  /** Dollars spent a day, on the average of so many days. */
  perDay: number
  days: number
  emptyAt: number
  /** From now to the end of the cycle, or to an empty balance. */
  line: readonly Balance[]
}

const dayMs = 24 * 3600 * 1000
/** Spending of a week, in which workdays and weekends are. */
const mostDays = 7

/** The balances of a cycle in dollars, when credit was added, and how long the rest lasts. */
export function balanceOutlook(points: CreditBalance['burnDown'], end: number) {
  const balances: Balance[] = points.map(({ at, balanceMicros }) => ({
    at: Date.parse(at),
    value: dollarsOf(balanceMicros),
  }))
  // Only the change of a whole day is known, so credit of a day with more spending than credit is not seen.
  const grants = balances.filter(({ value }, place) => place > 0 && value > (balances[place - 1]?.value ?? value))
  return { balances, grants, forecast: forecastOf(balances, end) }
}

/** The balance goes on as on the last days without new credit; null if nothing was spent on them or nothing is left. */
function forecastOf(balances: readonly Balance[], end: number): Forecast | null {
  const last = balances.at(-1)
  if (!last || last.at >= end || last.value <= 0) return null
  const recent = balances.slice(-1 - mostDays)
  const spent = recent
    .slice(1)
    .reduce((sum, { value }, place) => sum + Math.max(0, (recent[place]?.value ?? 0) - value), 0)
  const days = (last.at - (recent[0]?.at ?? last.at)) / dayMs
  const perDay = days > 0 ? spent / days : 0
  if (perDay <= 0) return null
  const emptyAt = last.at + (last.value / perDay) * dayMs
  const at = Math.min(emptyAt, end)
  return {
    perDay,
    days: Math.round(days),
    emptyAt,
    line: [last, { at, value: last.value - (perDay * (at - last.at)) / dayMs }],
  }
}
