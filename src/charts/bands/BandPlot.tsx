import { Area, CartesianGrid, ComposedChart, Line, ReferenceArea, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import { type AxisScale, niceScale } from '#src/charts/axis-scale.ts'
import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { tickNames } from '#src/charts/tick-names.ts'

/** A value with two intervals around it, as it stood at one time. */
export type BandStep = {
  at: number
  value: number
  inner: readonly [number, number]
  outer: readonly [number, number]
  /** What the value and the intervals read. */
  title: string
  text: string
  detail: string
}

type Props = {
  label: string
  x: { label: string; end: number; format: (value: number) => string }
  y: { low: number; high: number; format: (value: number) => string }
  steps: readonly BandStep[]
  /** Lines across the plot. */
  marks: readonly { at: number; name: string | null }[]
}

/** A value over time with two intervals around it, up to an end that it may not have reached. */
export function BandPlot({ label, x, y, steps, marks }: Props) {
  const across = niceScale(0, x.end)
  const up = niceScale(y.low, y.high)
  const last = steps.at(-1)
  return (
    <ChartFrame label={label} height={260}>
      <ComposedChart {...pictureOf(label)} data={steps} margin={{ top: 10, right: 28, bottom: 20, left: 0 }}>
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          {...axisOf(across, x.format)}
          dataKey="at"
          label={{ value: x.label, position: 'bottom', offset: -4, fill: 'var(--text-muted)', fontSize: 12 }}
        />
        <YAxis {...axisOf(up, y.format)} width="auto" />
        {last && last.at < x.end && (
          <ReferenceArea x1={last.at} x2={x.end} fill="var(--text-muted)" fillOpacity={0.07} />
        )}
        <Area {...bandLooks} dataKey="outer" fillOpacity={0.14} />
        <Area {...bandLooks} dataKey="inner" fillOpacity={0.24} />
        <ReferenceLine y={0} stroke="var(--text-muted)" />
        {marks.map(({ at, name }) => (
          <ReferenceLine
            key={`${at} ${name}`}
            x={at}
            stroke={name === null ? 'var(--line-strong)' : 'var(--status-passed)'}
            {...(name === null
              ? { strokeDasharray: '3 3' }
              : {
                  label: {
                    value: name,
                    position: at > x.end * 0.75 ? 'insideTopRight' : 'insideTopLeft',
                    fill: 'var(--status-passed)',
                    fontSize: 12,
                  },
                })}
          />
        ))}
        <Line
          dataKey="value"
          stroke="var(--accent)"
          strokeWidth={2}
          isAnimationActive={false}
          dot={<LastDot last={steps.length - 1} />}
          activeDot={{ r: 4, fill: 'var(--accent)', stroke: 'var(--surface)' }}
        />
        <Tooltip
          {...tooltipLooks}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={
            <ChartTooltip<BandStep>
              read={({ datum }) =>
                datum
                  ? {
                      title: datum.title,
                      readings: [{ key: 'value', series: null, name: '', text: datum.text, detail: datum.detail }],
                    }
                  : null
              }
            />
          }
        />
      </ComposedChart>
    </ChartFrame>
  )
}

const bandLooks = { stroke: 'none', fill: 'var(--accent)', isAnimationActive: false, activeDot: false } as const

/** Intervals of few runs may be far wider than the plot, at whose edges they end. */
const axisOf = ({ domain, ticks }: AxisScale, format: (value: number) => string) =>
  ({
    ...axisLooks,
    type: 'number',
    domain,
    ticks,
    allowDataOverflow: true,
    tickFormatter: tickNames(ticks, format),
  }) as const

const LastDot = ({ last, index, cx, cy }: { last: number; index?: number; cx?: number; cy?: number }) =>
  index === last ? <circle cx={cx} cy={cy} r={3} fill="var(--accent)" /> : null
