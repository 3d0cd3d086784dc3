import { VisuallyHidden } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CartesianGrid, ErrorBar, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from 'recharts'

import { buttonProps, revealMark } from '#src/charts/button-props.ts'
import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { niceScale } from '#src/charts/axis-scale.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { shortNames } from '#src/charts/short-names.ts'
import classes from './IntervalPlot.module.css'

/** A difference around zero, with its interval if it has one. */
export type IntervalRow = {
  label: string
  value: number | null
  interval: { low: number; high: number } | null
  isWhole: boolean
  /** What the mark opens: the key of a group or cell; null if nothing. */
  opens: string | null
}

type Props = {
  label: string
  rows: readonly IntervalRow[]
  format: Format
  /** The group or cell whose runs are shown. */
  selected: string | null
  onSelect: (key: string) => void
}

/** An amount as precise as the amounts beside it. */
type Format = (value: number, beside?: readonly number[]) => string

type Mark = IntervalRow & { row: number }

const rowHeight = 26
const letterWidth = 6.8
/** Of the width of the plot. */
const widestNames = 0.3

/** Differences on one axis around zero: the total with its 95 % confidence interval, its parts as dots. */
export function IntervalPlot({ label, rows, format, selected, onSelect }: Props) {
  const [width, setWidth] = useState(0)
  const values = rows.flatMap(({ value, interval }) => [value ?? 0, interval?.low ?? 0, interval?.high ?? 0])
  const scale = niceScale(Math.min(0, ...values), Math.max(0, ...values))
  const names = shortNames(
    rows.map((row) => row.label),
    width < 480 ? 18 : Math.max(28, Math.floor((width * widestNames) / letterWidth)),
  )
  const room = Math.max(0, ...names.map(({ length }) => length)) * letterWidth + 16
  const marks = useMemo(
    () => rows.map((row, place): Mark => ({ ...row, row: place })).filter(({ value }) => value !== null),
    [rows],
  )
  return (
    <div className={classes.plot}>
      <ChartFrame label={label} caption={label} height={rows.length * rowHeight + 40} onWidth={setWidth}>
        <ScatterChart {...pictureOf(label)} margin={{ top: 4, right: 32, bottom: 0, left: 0 }}>
          <CartesianGrid horizontal={false} stroke="var(--line)" />
          <XAxis
            {...axisLooks}
            {...scale}
            dataKey="value"
            type="number"
            tickFormatter={(tick: number) => (tick === 0 ? '0' : format(tick, scale.ticks))}
          />
          <YAxis
            {...axisLooks}
            dataKey="row"
            type="number"
            reversed
            domain={[-0.5, rows.length - 0.5]}
            ticks={[...rows.keys()]}
            interval={0}
            width={room}
            axisLine={false}
            tick={<RowName rows={rows} names={names} />}
          />
          <ReferenceLine x={0} stroke="var(--text-faint)" />
          <Scatter data={marks} isAnimationActive={false} shape={<Dot {...{ format, selected, onSelect }} />}>
            <ErrorBar
              dataKey={({ value, interval }: Mark) =>
                value === null || !interval ? 0 : [value - interval.low, interval.high - value]
              }
              direction="x"
              width={5}
              stroke="var(--accent)"
              strokeWidth={1.5}
              isAnimationActive={false}
            />
          </Scatter>
          <Tooltip
            {...tooltipLooks}
            cursor={false}
            content={
              <ChartTooltip<Mark>
                read={({ datum }) => (datum ? { title: datum.label, readings: [readingOf(datum, format)] } : null)}
              />
            }
          />
        </ScatterChart>
      </ChartFrame>
      {[...new Set(rows.map((row) => describe(row, format)))].map((words) => (
        <VisuallyHidden key={words}>{words}</VisuallyHidden>
      ))}
    </div>
  )
}

type RowNameProps = { rows: readonly IntervalRow[]; names: readonly string[]; x?: number; y?: number; index?: number }

const RowName = ({ rows, names, x, y, index = 0 }: RowNameProps) => (
  <text x={x} y={y} dy="0.32em" textAnchor="end" className={rows[index]?.isWhole ? classes.whole : classes.name}>
    <title>{rows[index]?.label}</title>
    {names[index]}
  </text>
)

type DotProps = Pick<Props, 'format' | 'selected' | 'onSelect'> & {
  /** The next ones are from Recharts. */
  cx?: number
  cy?: number
  payload?: Mark
}

function Dot({ format, selected, onSelect, cx, cy, payload: mark }: DotProps) {
  if (!mark) return null
  const { isWhole, opens, label } = mark
  const circle = (
    <circle
      cx={cx}
      cy={cy}
      r={isWhole ? 5 : 4}
      fill={isWhole ? 'var(--accent-text)' : 'var(--text-muted)'}
      stroke="var(--surface)"
      strokeWidth={isWhole ? 1.5 : 0}
    />
  )
  if (opens === null) return circle
  return (
    <g
      ref={opens === selected ? revealMark : undefined}
      className={classes.mark}
      data-selected={opens === selected || undefined}
      {...buttonProps({ text: label, words: describe(mark, format) }, () => onSelect(opens))}
    >
      <circle cx={cx} cy={cy} r={12} fill="transparent" />
      {circle}
    </g>
  )
}

function describe({ label, value, interval }: IntervalRow, format: Format) {
  if (value === null) return `${label}: no value`
  return `${label}: ${format(value)}${interval ? `, 95 % CI ${endsOf(interval, format)}` : ''}`
}

const readingOf = ({ value, interval }: IntervalRow, format: Format) => ({
  key: 'value',
  series: null,
  name: '',
  text: value === null ? 'no value' : format(value),
  detail: interval ? `95 % CI ${endsOf(interval, format)}` : undefined,
})

const endsOf = ({ low, high }: { low: number; high: number }, format: Format) =>
  [low, high].map((end) => format(end, [low, high])).join(' to ')
