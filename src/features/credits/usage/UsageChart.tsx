import type { Usage } from '#contract/usage.ts'
import { StackedBars } from '#src/charts/bars/StackedBars.tsx'
import { usd } from '#src/format/money.ts'
import { usageBars } from './usage-bars.ts'
import type { Payer } from './usage-view.ts'

type Props = { usage: Usage; paid: Payer }

/** What each day has cost: by the rows of the table, or grouped by day by who pays. */
export function UsageChart({ usage, paid }: Props) {
  const { series, bars } = usageBars(usage, paid)
  return (
    <StackedBars
      label={`Cost by ${usage.intervalUnit}`}
      series={series.map(({ label, color }) => ({ name: label, color }))}
      bars={bars}
      format={(value) => usd(value)}
    />
  )
}
