import type { Axis } from './nice-axis.ts'

/** The Recharts props of an axis. */
export const axisProps = ({ low, high, ticks }: Axis) => ({
  type: 'number' as const,
  domain: [low, high] as [number, number],
  ticks,
  interval: 'preserveStart' as const,
  stroke: 'var(--line-strong)',
  tickLine: false,
})
