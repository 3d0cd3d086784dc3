import type { Axis } from './nice-axis.ts'

/** Recharts draws no ticks without data, so two invisible points mark the corners. */
export const cornersOf = ({ x, y }: { x: Axis; y: Axis }) => [
  { x: x.low, y: y.low },
  { x: x.high, y: y.high },
]

const nothing = () => null

export const invisibleMarks = { shape: nothing, isAnimationActive: false, legendType: 'none' as const }
