import type { Axis } from './nice-axis.ts'

/** The part of a chart between its axes, both linear, and the position of a value on it, in pixels. */
export type Plot = {
  x: number
  y: number
  width: number
  height: number
  toX: (value: number) => number
  toY: (value: number) => number
}

type Size = { width: number; height: number }
type Margin = { top: number; right: number; bottom: number; left: number }

/** What is left of a chart within its margins, which hold the labels of its axes. */
export function plotWithin(size: Size, margin: Margin, { x: across, y: up }: { x: Axis; y: Axis }): Plot {
  const { left: x, top: y } = margin
  const width = Math.max(0, size.width - x - margin.right)
  const height = Math.max(0, size.height - y - margin.bottom)
  return {
    x,
    y,
    width,
    height,
    toX: (value) => x + ((value - across.low) / (across.high - across.low)) * width,
    toY: (value) => y + height - ((value - up.low) / (up.high - up.low)) * height,
  }
}
