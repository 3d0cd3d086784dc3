import { useMemo } from 'react'
import { usePlotArea } from 'recharts'

import type { Axis } from './nice-axis.ts'

type Axes = { x: Axis; y: Axis }

/** The position of a value on the chart, in pixels. */
export type Plot = {
  x: number
  y: number
  width: number
  height: number
  toX: (value: number) => number
  toY: (value: number) => number
}

/** The part of a Recharts chart between its axes, both linear; null until it has been laid out. */
export function usePlot({ x: across, y: up }: Axes): Plot | null {
  const area = usePlotArea()
  return useMemo(() => {
    if (!area) return null
    const { x, y, width, height } = area
    return {
      x,
      y,
      width,
      height,
      toX: (value) => x + ((value - across.low) / (across.high - across.low)) * width,
      toY: (value) => y + height - ((value - up.low) / (up.high - up.low)) * height,
    }
  }, [area, across, up])
}
