import type { CreditBalance } from '#contract/credits.ts'
import { dollarsOf } from '#contract/wire/micros.ts'

type Points = CreditBalance['burnDown']

/**
 * Paths in a 100 × 100 square; the X axis is the whole cycle. Each day is a step, because only its final balance is
 * known. `top` and `bottom` are the dollars at the edges; `zero` is the position of $0, which is the bottom unless the
 * balance is negative.
 */
export function burnDownShape(points: Points, { start, end }: { start: string; end: string }) {
  const [from, until] = [Date.parse(start), Date.parse(end)]
  const balances = points.map(({ balanceMicros }) => dollarsOf(balanceMicros))
  const [top, bottom] = [Math.max(1, ...balances), Math.min(0, ...balances)]
  const x = (at: string) => round(((Date.parse(at) - from) / (until - from)) * 100)
  const y = (micros: string) => round(((top - dollarsOf(micros)) / (top - bottom)) * 100)
  const zero = y('0')
  const steps = points.map(({ at, balanceMicros }) => `V${y(balanceMicros)}H${x(at)}`).join('')
  const first = y(points[0]?.balanceMicros ?? '0')
  return { top, bottom, zero, line: `M0,${first}${steps}`, area: `M0,${zero}V${first}${steps}V${zero}Z` }
}

const round = (value: number) => Math.round(value * 100) / 100
