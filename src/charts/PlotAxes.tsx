import classes from './PlotAxes.module.css'
import type { Axis } from './nice-axis.ts'
import type { Plot } from './plot.ts'

type Labelled = { axis: Axis; format: (value: number) => string }

type Props = {
  plot: Plot
  size: { width: number; height: number }
  x: Labelled & { label: string; isRepeatedAbove?: boolean }
  /** Rows have no axis of their own. */
  y?: Labelled
}

/** The lines of the axes and the labels of their ticks. */
export function PlotAxes({ plot, size, x, y }: Props) {
  const bottom = plot.y + plot.height
  const ticks = withoutOverlaps(
    x.axis.ticks.map((tick) => ({ tick, at: plot.toX(tick), text: x.format(tick) })),
    size.width,
  )
  return (
    <g className={classes.axes} aria-hidden>
      <path d={`M${plot.x},${bottom}H${plot.x + plot.width}`} />
      {x.isRepeatedAbove && <path d={`M${plot.x},${plot.y}H${plot.x + plot.width}`} />}
      {ticks.map(({ tick, at, text }) => (
        <text key={tick} x={at} y={bottom + 20} textAnchor="middle">
          {text}
        </text>
      ))}
      {x.isRepeatedAbove &&
        ticks.map(({ tick, at, text }) => (
          <text key={tick} x={at} y={plot.y - 12} textAnchor="middle">
            {text}
          </text>
        ))}
      <text x={plot.x + plot.width / 2} y={size.height - 9} textAnchor="middle">
        {x.label}
      </text>
      {y && <path d={`M${plot.x},${plot.y}V${bottom}`} />}
      {y?.axis.ticks.map((tick) => (
        <text key={tick} x={plot.x - 10} y={plot.toY(tick)} textAnchor="end" dominantBaseline="central">
          {y.format(tick)}
        </text>
      ))}
    </g>
  )
}

type Tick = { tick: number; at: number; text: string }

const letterWidth = 6.8
const gap = 6

/** From the left, each label that neither touches the one before it nor leaves the chart. */
export function withoutOverlaps(ticks: readonly Tick[], width: number) {
  let end = -Infinity
  return ticks.filter(({ at, text }) => {
    const half = (text.length * letterWidth) / 2
    if (at - half < end + gap || at + half > width) return false
    end = at + half
    return true
  })
}
