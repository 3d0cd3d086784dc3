import type { Axis } from './nice-axis.ts'

/** An axis as Recharts takes it. */
export const axisProps = ({ low, high, ticks }: Axis) => ({
  type: 'number' as const,
  domain: [low, high] as [number, number],
  ticks,
  interval: 'preserveStart' as const,
  stroke: 'var(--line-strong)',
  tickLine: false,
})
