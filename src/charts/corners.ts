import type { Axis } from './nice-axis.ts'

/** Recharts gives an axis no ticks while nothing stands on it, so two unseen points do. */
export const cornersOf = ({ x, y }: { x: Axis; y: Axis }) => [
  { x: x.low, y: y.low },
  { x: x.high, y: y.high },
]

const nothing = () => null

export const invisible = { shape: nothing, isAnimationActive: false, legendType: 'none' as const }
