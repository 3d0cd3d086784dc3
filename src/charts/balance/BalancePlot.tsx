import { Area, CartesianGrid, ComposedChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'

import { axisLooks, pictureOf, tooltipLooks } from '#src/charts/chart-looks.ts'
import { niceScale } from '#src/charts/axis-scale.ts'
import { ChartFrame } from '#src/charts/ChartFrame.tsx'
import { ChartTooltip } from '#src/charts/ChartTooltip.tsx'
import { tickNames } from '#src/charts/tick-names.ts'

/** A balance at the end of a day, which is the start of the next one, in milliseconds. */
type Balance = { at: number; value: number }

type Props = {
  label: string
  balances: readonly Balance[]
  /** The whole cycle, which may not be over. */
  cycle: { start: number; end: number }
  format: (value: number) => string
  /** Writes the day that ends at a time. */
  formatDay: (at: number) => string
}

const day = 24 * 3600 * 1000

/** A balance over a cycle. Each day is a step, because only its final balance is known. Future days are empty. */
export function BalancePlot({ label, balances, cycle: { start, end }, format, formatDay }: Props) {
  const values = balances.map(({ value }) => value)
  const scale = niceScale(Math.min(0, ...values), Math.max(0, ...values) || 1)
  const steps = [{ at: start, value: values[0] ?? 0 }, ...balances]
  const middles = Array.from({ length: Math.round((end - start) / day) }, (_, place) => start + (place + 0.5) * day)
  return (
    <ChartFrame label={label} height={180}>
      <ComposedChart data={steps} {...pictureOf(label)} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          {...axisLooks}
          dataKey="at"
          type="number"
          domain={[start, end]}
          ticks={middles}
          tickFormatter={(at: number) => formatDay(at + day / 2)}
          interval="equidistantPreserveStart"
          axisLine={false}
        />
        <YAxis {...axisLooks} {...scale} width="auto" axisLine={false} tickFormatter={tickNames(scale.ticks, format)} />
        {scale.domain[0] < 0 && <ReferenceLine y={0} stroke="var(--text-faint)" />}
        <Area
          dataKey="value"
          type="stepBefore"
          stroke="var(--accent)"
          strokeWidth={1.5}
          fill="var(--accent)"
          fillOpacity={0.12}
          isAnimationActive={false}
          activeDot={{ r: 3.5, fill: 'var(--accent)', stroke: 'var(--surface)' }}
        />
        <Tooltip
          {...tooltipLooks}
          cursor={{ stroke: 'var(--line-strong)' }}
          content={
            <ChartTooltip
              read={({ label: at }) => {
                const balance = balances.find((one) => one.at === Number(at))
                return balance
                  ? {
                      title: formatDay(balance.at),
                      readings: [{ key: 'balance', series: null, name: 'Balance', text: format(balance.value) }],
                    }
                  : null
              }}
            />
          }
        />
      </ComposedChart>
    </ChartFrame>
  )
}
