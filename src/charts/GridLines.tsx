import { createPortal } from 'react-dom'

import type { Axis } from './nice-axis.ts'
import classes from './PointLayer.module.css'
import type { Plot } from './plot.ts'

type Props = { axes: { x: Axis; y: Axis }; plot: Plot; size: { width: number; height: number }; backdrop: HTMLElement }

/** Grid lines at the ticks, drawn below the runs because values such as pass rates are often exactly on them. */
export function GridLines({ axes, plot, size, backdrop }: Props) {
  const { x, y, width, height } = plot
  return createPortal(
    <svg {...size} className={classes.canvas} stroke="var(--line)" fill="none" aria-hidden>
      {axes.x.ticks.map((tick) => (
        <path key={tick} d={`M${plot.toX(tick)},${y}V${y + height}`} />
      ))}
      {axes.y.ticks.map((tick) => (
        <path key={tick} d={`M${x},${plot.toY(tick)}H${x + width}`} />
      ))}
    </svg>,
    backdrop,
  )
}
