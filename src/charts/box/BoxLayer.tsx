import { createContext, type ReactNode, useMemo } from 'react'

import { type Hover, type Point, PointLayer } from '#src/charts/PointLayer.tsx'
import { shortNames } from '#src/charts/short-names.ts'
import { type Plot, usePlot } from '#src/charts/use-plot.ts'
import type { BoxGroup } from './box-group.ts'

/** Where the rows are, and what is written into each of them. Null until the axes are known. */
type Rows = { plot: Plot; height: number; room: number; rowOf: ReadonlyMap<string, number>; names: string[] }

export const RowsContext = createContext<Rows | null>(null)

const letterWidth = 6.8
/** Between a name, what is beside it and the value at the end of the row, in letters. */
const gaps = 5

type Props = {
  groups: readonly BoxGroup[]
  points: readonly Point[]
  /** Keeps a value on a logarithmic axis. */
  clamp: (value: number) => number
  backdrop: HTMLElement
  onHover: (hover: Hover | null) => void
  onSelectPoints: ((points: Point[]) => void) | undefined
  children: ReactNode
}

/** The layer of runs behind the rows, and the places of the rows. */
export function BoxLayer({ groups, points, clamp, backdrop, onHover, onSelectPoints, children }: Props) {
  const whole = usePlot()
  const rows = useMemo((): Rows | null => {
    if (!whole) return null
    const height = whole.height / groups.length
    const room = Math.floor(whole.width / letterWidth)
    const plot = {
      ...whole,
      toX: (value: number) => whole.toX(clamp(value)),
      toY: (row: number) => whole.y + row * height,
    }
    const beside = Math.max(0, ...groups.map(({ extent, value }) => extent.length + value.length))
    const names = shortNames(
      groups.map(({ label }) => label),
      Math.max(12, room - beside - gaps),
    )
    return { plot, height, room, names, rowOf: new Map(groups.map(({ group }, place) => [group, place])) }
  }, [whole, groups, clamp])
  return (
    <RowsContext value={rows}>
      <PointLayer {...{ points, backdrop, onHover }} plot={rows?.plot ?? null} onSelect={onSelectPoints}>
        {children}
      </PointLayer>
    </RowsContext>
  )
}
