import { type ReactNode, useMemo } from 'react'

import { ChartFrame, type Hint } from './ChartFrame.tsx'
import type { Axis } from './nice-axis.ts'
import { type Plot, plotWithin } from './plot.ts'
import { PlotAxes } from './PlotAxes.tsx'
import classes from './PlotFrame.module.css'

type Size = { width: number; height: number }

type Inside = { plot: Plot; size: Size; backdrop: HTMLElement }

type Props = {
  label: string
  height: number
  hint: Hint | null
  axes: { x: Axis; y: Axis }
  x: { label: string; format: (value: number) => string; isRepeatedAbove?: boolean }
  /** Without one, the values have no axis of their own, as in a chart of rows. */
  y?: { format: (value: number) => string }
  children: (inside: Inside) => ReactNode
}

/** A chart with axes. Its marks are SVG. */
export function PlotFrame({ label, height, hint, ...plotted }: Props) {
  return (
    <ChartFrame label={label} height={height} hint={hint}>
      {({ size, backdrop }) => <Plotted {...plotted} {...size} backdrop={backdrop} />}
    </ChartFrame>
  )
}

type PlottedProps = Omit<Props, 'label' | 'height' | 'hint'> & Size & { backdrop: HTMLElement }

function Plotted({ axes, x, y, width, height, backdrop, children }: PlottedProps) {
  const [hasY, isTall] = [y !== undefined, x.isRepeatedAbove === true]
  // The same objects until the size changes: thousands of runs are drawn again whenever they change.
  const { size, plot } = useMemo(() => {
    const size = { width, height }
    return {
      size,
      plot: plotWithin(size, { top: isTall ? 34 : 10, right: 28, bottom: 50, left: hasY ? 56 : 20 }, axes),
    }
  }, [axes, width, height, hasY, isTall])
  return (
    <svg {...size} className={classes.drawing}>
      <PlotAxes plot={plot} size={size} x={{ ...x, axis: axes.x }} {...(y && { y: { ...y, axis: axes.y } })} />
      {children({ plot, size, backdrop })}
    </svg>
  )
}
