import type { TickUnit } from '#src/charts/axis-scale.ts'

type Place = {
  x: string
  value: number | null
  interval: { low: number; high: number } | null
  /** The value as it reads, and what is known about it: `58.8 %`, `52.1 % to 65.2 %, 400 runs`. */
  text: string
  detail: string
}

/** A group over versions or time. */
export type TrendLine = { label: string; places: readonly Place[] }

export type TrendProps = {
  label: string
  /** The names on the X axis, in order. */
  xs: readonly string[]
  lines: readonly TrendLine[]
  format: (value: number) => string
  /** By default shares from 0 to 1. */
  axis?: { low: number; high: number; unit: TickUnit }
  /** How a name on the X axis is written; by default as it is. */
  formatX?: (x: string) => string
  /** For a plot that shares a page with other parts. */
  isSmall?: boolean
}
