import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

import type { Zoom, Zooming } from './trend-line.ts'
import type { TrendRow } from './trend-rows.ts'

type Ends = { startIndex: number; endIndex: number }

/** Fewer steps are all told apart. */
const leastSteps = 8

/** A drag moves the ends many times a second, and each change would be an address. */
const pause = 300

/** The rows that are shown, and the brush that chooses them; null where nothing is to be chosen, as in a report. */
export function useZoom(rows: TrendRow[], xs: readonly string[], zooming: Zooming | undefined, hasBrush: boolean) {
  // Names and not places: rows come and go with new runs and filters.
  const [moved, setMoved] = useState<Zoom>()
  const nameAt = (index: number) => xs[rows[index]?.step ?? -1] ?? ''
  const last = rows.length - 1
  const tell = useDebouncedCallback((zoom: Zoom) => zooming?.onZoom(zoom), pause)
  if (!zooming || rows.length < leastSteps) return { shown: rows, brush: null }
  const { startIndex, endIndex } = endsOf(moved === undefined ? zooming.zoom : moved, { last, nameAt })
  const onChange = (ends: Ends) => {
    const isWhole = ends.startIndex === 0 && ends.endIndex === last
    const zoom = isWhole ? null : { from: nameAt(ends.startIndex), to: nameAt(ends.endIndex) }
    setMoved(zoom)
    tell(zoom)
  }
  return { shown: rows.slice(startIndex, endIndex + 1), brush: hasBrush ? { startIndex, endIndex, onChange } : null }
}

/** All of it where an address names what is not there, or the ends in the wrong order. */
function endsOf(zoom: Zoom, { last, nameAt }: { last: number; nameAt: (index: number) => string }): Ends {
  const places = Array.from({ length: last + 1 }, (_, index) => nameAt(index))
  const [startIndex, endIndex] = [places.indexOf(zoom?.from ?? ''), places.indexOf(zoom?.to ?? '')]
  return startIndex < 0 || endIndex < startIndex ? { startIndex: 0, endIndex: last } : { startIndex, endIndex }
}
