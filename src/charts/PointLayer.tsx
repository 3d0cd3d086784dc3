import { useComputedColorScheme } from '@mantine/core'
import { type PointerEvent, useCallback, useMemo } from 'react'
import { createPortal } from 'react-dom'

import { useDrawing } from './heatmap/use-drawing.ts'
import classes from './PointLayer.module.css'
import { seriesColorsOf } from './series.ts'
import type { Plot } from './use-plot.ts'

/** One run on a chart; `series` is the place of its group. */
export type Point = { id: string; x: number; y: number; series: number }

/** Points under the pointer, and where they are. */
export type Hover = { points: Point[]; x: number; y: number }

type Props = {
  points: readonly Point[]
  plot: Plot
  size: { width: number; height: number }
  /** Where the canvas goes: below the chart's SVG. */
  backdrop: HTMLElement
  onHover: (hover: Hover | null) => void
  onSelect: (points: Point[]) => void
}

const radius = 3
/** A click this near a point means it. */
const reach = 6

/** One dot, drawn once and stamped for every run: filling 50,000 circles would take three times as long. */
function drawDot(color: string) {
  const scale = 2 * radius * window.devicePixelRatio
  const dot = new OffscreenCanvas(scale, scale)
  const pen = dot.getContext('2d')
  if (!pen) return dot
  pen.fillStyle = color
  pen.arc(scale / 2, scale / 2, scale / 2, 0, 2 * Math.PI)
  pen.fill()
  return dot
}

/** Points by the thousand: drawn on one canvas, found again by their distance from the pointer. */
export function PointLayer({ points, plot, size, backdrop, onHover, onSelect }: Props) {
  const scheme = useComputedColorScheme('light')
  const places = useMemo(() => points.map(({ x, y }) => [plot.toX(x), plot.toY(y)] as const), [points, plot])
  const canvas = useDrawing(
    size,
    useCallback(
      (pen: CanvasRenderingContext2D) => {
        const dots = seriesColorsOf(scheme, pen.canvas).map(drawDot)
        pen.clearRect(0, 0, size.width, size.height)
        pen.globalAlpha = Math.max(0.1, Math.min(0.7, 14 / Math.sqrt(points.length + 1)))
        for (const [place, [x, y]] of places.entries()) {
          const dot = dots[(points[place]?.series ?? 0) % dots.length]
          if (dot) pen.drawImage(dot, x - radius, y - radius, 2 * radius, 2 * radius)
        }
      },
      [points, places, size, scheme],
    ),
  )
  const pointsAt = ({ clientX, clientY, currentTarget }: PointerEvent<Element> | React.MouseEvent<Element>) => {
    const frame = currentTarget.ownerDocument.contains(backdrop) ? backdrop.getBoundingClientRect() : null
    if (!frame) return null
    const [x, y] = [clientX - frame.left, clientY - frame.top]
    const near = points.filter((_, place) => {
      const [pointX, pointY] = places[place] ?? [Infinity, Infinity]
      return Math.abs(pointX - x) <= reach && Math.abs(pointY - y) <= reach
    })
    return near.length > 0 ? { points: near, x, y } : null
  }
  return (
    <>
      {createPortal(<canvas ref={canvas} className={classes.canvas} style={size} aria-hidden />, backdrop)}
      <rect
        x={plot.x}
        y={plot.y}
        width={plot.width}
        height={plot.height}
        fill="transparent"
        onPointerMove={(event) => onHover(pointsAt(event))}
        onPointerLeave={() => onHover(null)}
        onClick={(event) => {
          const hit = pointsAt(event)
          if (hit) onSelect(hit.points)
        }}
      />
    </>
  )
}
