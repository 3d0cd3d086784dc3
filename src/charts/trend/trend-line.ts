import type { TickUnit } from '#src/charts/axis-scale.ts'

type Place = {
  /** The key of the runs behind the value. */
  group: string
  x: string
  value: number | null
  interval: { low: number; high: number } | null
  /** The value as it reads, and what is known about it: `58.8 %`, `52.1 % to 65.2 %, 400 runs`. */
  text: string
  detail: string
}

/** A group over versions or time. */
export type TrendLine = { label: string; places: readonly Place[] }

/** The part of the X axis that is shown, by the names of its ends; null for all of it. */
export type Zoom = { from: string; to: string } | null

/** Where the shown part can be chosen, and what to call when a reader has chosen another. */
export type Zooming = { zoom: Zoom; onZoom: (zoom: Zoom) => void }

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
  zooming?: Zooming
  /** The group whose runs are shown. */
  selected?: string | null
  /** Makes each mark a button that opens the runs behind it. */
  onSelect?: (group: string) => void
}
