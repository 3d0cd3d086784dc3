import type { Markup } from './markup.ts'

/** The area of a mark for the pointer: a point, or a box around its center. */
export type Hit = { x: number; y: number; width: number; height: number; words: string; row: number | null }

/** A chart laid out for one width. */
export type Drawing = {
  width: number
  height: number
  marks: Markup[]
  hits: Hit[]
  /** Groups in the legend, if the marks aren't labeled. */
  legend: string[]
  /** Notes about omitted data. */
  notes: string[]
}

const reach = 12

/** The nearest mark under or close to the pointer. */
export function hitAt(hits: readonly Hit[], x: number, y: number): Hit | null {
  let nearest: Hit | null = null
  let least = reach
  for (const hit of hits) {
    const across = Math.max(0, Math.abs(hit.x - x) - hit.width / 2)
    const down = Math.max(0, Math.abs(hit.y - y) - hit.height / 2)
    const distance = Math.hypot(across, down)
    if (distance < least) [nearest, least] = [hit, distance]
  }
  return nearest
}

export const point = (x: number, y: number, words: string, row: number): Hit => ({
  x,
  y,
  width: 0,
  height: 0,
  words,
  row,
})
