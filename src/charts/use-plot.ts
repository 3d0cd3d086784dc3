import { useMemo } from 'react'
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts'

/** The part of a chart between its axes, and the position of a value on it, in pixels. */
export type Plot = {
  x: number
  y: number
  width: number
  height: number
  toX: (value: number) => number
  toY: (value: number) => number
}

/** The plot of the chart around a component, the same object until the axes or the size change; null before there is one. */
export function usePlot(): Plot | null {
  const area = usePlotArea()
  const scaleX = useXAxisScale()
  const scaleY = useYAxisScale()
  return useMemo((): Plot | null => {
    if (!area || !scaleX || !scaleY) return null
    const { x, y, width, height } = area
    return {
      x,
      y,
      width,
      height,
      toX: (value) => scaleX(value) ?? Number.NaN,
      toY: (value) => scaleY(value) ?? Number.NaN,
    }
  }, [area, scaleX, scaleY])
}
