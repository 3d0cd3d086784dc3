import { ErrorBar, LabelList, Line } from 'recharts'

import { seriesColor, seriesSymbol } from '#src/charts/series.ts'
import type { TrendRow } from './trend-rows.ts'

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
}

/** A line with its points, their intervals and its name. A function, because charts look for lines among their children. */
export function trendSeries({ place, series, shift, widestShift, look, name, onShow }: Series) {
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
      dot={<Point {...{ series, shift, color, opacity }} />}
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

type PointProps = Drawn & { series: number; cx?: number; cy?: number; value?: unknown }

const Point = ({ series, color, opacity, shift, cx, cy, value }: PointProps) =>
  typeof value === 'number' && cx !== undefined && cy !== undefined ? (
    <path d={seriesSymbol(series)} transform={`translate(${cx + shift} ${cy})`} fill={color} opacity={opacity} />
  ) : null

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
