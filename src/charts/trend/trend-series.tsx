import type { KeyboardEvent } from 'react'
import { ErrorBar, LabelList, Line } from 'recharts'

import { buttonProps, revealMark } from '#src/charts/button-props.ts'
import { seriesColor, seriesSymbol } from '#src/charts/series.ts'
import type { TrendRow } from './trend-rows.ts'
import classes from './TrendPlot.module.css'

type Series = {
  /** The line's index. */
  place: number
  series: number
  /** To the right, in pixels. */
  shift: number
  widestShift: number
  look: 'usual' | 'shown' | 'faint'
  /** At the end of the line, which is the point with this index. */
  name: { text: string; whole: string; at: number } | null
  onShow: (isShown: boolean) => void
  opening: Opening | undefined
}

/** What makes the points of a line buttons. Tab reaches the last one, and the arrow keys the others. */
type Opening = {
  selected: string | null
  onSelect: (group: string, step: number) => void
  wordsOf: (step: number) => string
  lastStep: number | undefined
}

/** A line with its points, their intervals and its name. A function, because charts look for lines among their children. */
export function trendSeries({ place, series, shift, widestShift, look, name, onShow, opening }: Series) {
  const color = seriesColor(series, look === 'shown')
  const opacity = look === 'faint' ? 0.2 : 1
  const transform = `translate(${shift} 0)`
  return (
    <Line
      key={place}
      dataKey={({ values }: TrendRow) => values[place] ?? null}
      stroke={color}
      strokeWidth={look === 'shown' ? 3 : 2}
      opacity={opacity}
      transform={transform}
      isAnimationActive={false}
      activeDot={false}
      legendType="none"
      dot={<Point {...{ place, series, shift, color, opacity, opening }} />}
      onMouseEnter={() => onShow(true)}
      onMouseLeave={() => onShow(false)}
    >
      <ErrorBar
        dataKey={({ errors }: TrendRow) => errors[place] ?? 0}
        direction="y"
        width={0}
        stroke={color}
        strokeWidth={2}
        opacity={0.45 * opacity}
        transform={transform}
        isAnimationActive={false}
      />
      {name && <LabelList content={<EndName {...{ name, color, opacity }} shift={widestShift + 10} />} />}
    </Line>
  )
}

type Drawn = { color: string; opacity: number; shift: number }

type PointProps = Drawn &
  Pick<Series, 'place' | 'series' | 'opening'> & {
    /** The next ones are from Recharts. */
    cx?: number
    cy?: number
    value?: unknown
    payload?: TrendRow
  }

function Point({ place, series, color, opacity, shift, opening, cx, cy, value, payload }: PointProps) {
  if (typeof value !== 'number' || cx === undefined || cy === undefined || !payload) return null
  const at = `translate(${cx + shift} ${cy})`
  const symbol = <path d={seriesSymbol(series)} transform={at} fill={color} opacity={opacity} />
  const group = payload.groups[place]
  if (!opening || !group) return symbol
  const { selected, onSelect, wordsOf, lastStep } = opening
  const button = buttonProps({ text: '', words: wordsOf(payload.step) }, () => onSelect(group, payload.step))
  return (
    <g
      ref={group === selected ? revealMark : undefined}
      className={classes.mark}
      data-selected={group === selected || undefined}
      {...button}
      tabIndex={payload.step === lastStep ? 0 : -1}
      onKeyDown={(event) => {
        if (!moveAlong(event)) button.onKeyDown(event)
      }}
    >
      <circle r={7} transform={at} fill="transparent" />
      {symbol}
    </g>
  )
}

/** Moves the focus to the point before or after. The chart would move its tooltip instead. */
function moveAlong(event: KeyboardEvent<SVGGElement>) {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return false
  event.preventDefault()
  event.stopPropagation()
  const { previousElementSibling, nextElementSibling } = event.currentTarget
  const next = event.key === 'ArrowLeft' ? previousElementSibling : nextElementSibling
  if (next instanceof SVGElement) next.focus()
  return true
}

type EndNameProps = Drawn & { name: NonNullable<Series['name']>; index?: number; x?: number; y?: number }

const EndName = ({ name, color, opacity, shift, index, x = 0, y }: EndNameProps) =>
  index === name.at ? (
    <text x={x + shift} y={y} dy="0.32em" fill={readable(color)} opacity={opacity}>
      <title>{name.whole}</title>
      {name.text}
    </text>
  ) : null

/** A name needs more contrast than a line. */
const readable = (color: string) => `color-mix(in srgb, ${color} 55%, var(--text))`
