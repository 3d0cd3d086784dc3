import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'

type Points = CreditBalance['burnDown']

/**
 * Paths in a square of 100 by 100, time to the right over the whole cycle. Each day is a step: the balance is known at its
 * end only. `top` is the dollars of the upper edge; a balance that is owed rests on the lower one.
 */
export function burnDownShape(points: Points, { start, end }: { start: string; end: string }) {
  const [from, until] = [Date.parse(start), Date.parse(end)]
  const top = Math.max(1, ...points.map(({ balanceMicros }) => dollarsOf(balanceMicros)))
  const x = (at: string) => round(((Date.parse(at) - from) / (until - from)) * 100)
  const y = (micros: string) => round(100 - (Math.max(0, dollarsOf(micros)) / top) * 100)
  const steps = points.map(({ at, balanceMicros }) => `V${y(balanceMicros)}H${x(at)}`).join('')
  const first = y(points[0]?.balanceMicros ?? '0')
  return { top, line: `M0,${first}${steps}`, area: `M0,100V${first}${steps}V100Z` }
}

const round = (value: number) => Math.round(value * 100) / 100
