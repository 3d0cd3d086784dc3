import './series.css'
import type { ReactNode } from 'react'
import { ResponsiveContainer } from 'recharts'

import mutedText from '#src/ui/muted-text.module.css'
import { TooltipBox } from './ChartTooltip.tsx'
import classes from './ChartFrame.module.css'
import { ChartTools } from './picture/ChartTools.tsx'

type Props = {
  label: string
  height: number
  /** Shown below the chart. */
  caption?: string
  /** Called with the element below the drawing, for a canvas. */
  onBackdrop?: (backdrop: HTMLElement | null) => void
  onWidth?: (width: number) => void
  /** A tooltip of the canvas. */
  hint?: { x: number; y: number; text: string } | null
  children: ReactNode
}

/** The frame of every chart: a figure with its name, as wide as its place. */
export const ChartFrame = ({ label, height, caption, onBackdrop, onWidth, hint, children }: Props) => (
  <figure className={classes.frame} aria-label={label} data-chart="">
    {onBackdrop && <div ref={onBackdrop} className={classes.backdrop} data-backdrop="" />}
    <ResponsiveContainer width="100%" height={height} {...(onWidth && { onResize: onWidth })}>
      {children}
    </ResponsiveContainer>
    {hint && (
      <div className={classes.hint} style={hintPlace(hint)}>
        <TooltipBox title={hint.text} readings={[]} />
      </div>
    )}
    <ChartTools label={label} />
    {caption !== undefined && <figcaption className={mutedText.plain}>{caption}</figcaption>}
  </figure>
)

/** Beside the pointer, on the side where there is room. */
const hintPlace = ({ x, y }: { x: number; y: number }) => ({ left: x, top: y, '--side': x > 300 ? '-100%' : '0%' })
