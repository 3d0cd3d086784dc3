import '#src/charts/series.css'
import { type KeyboardEvent, useMemo, useRef } from 'react'

import type { Presentation } from '#contract/insight-fields.ts'
import { BoxPlot } from '#src/charts/box/BoxPlot.tsx'
import { numberAxis } from './axes.ts'
import { BarResult } from './BarResult.tsx'
import { PlaneResult } from './PlaneResult.tsx'
import { type Plan, planResult } from './plan-result.ts'
import { QueryHeatmap } from './QueryHeatmap.tsx'
import classes from './ResultChart.module.css'
import type { Table } from './values.ts'

type Props = {
  table: Table
  presentation: Presentation
  /** Called when a mark that represents one row is activated by click or Enter. */
  onRow?: (row: number) => void
}

/** Any result as a chart, or the reason it can't be drawn. Values can be read by pointing, with arrow keys, and in the table. */
export function ResultChart({ table, presentation, onRow }: Props) {
  const plan = useMemo(() => planResult(table, presentation), [table, presentation])
  const read = useRef<readonly number[]>([])
  if ('reason' in plan) return <p className={classes.reason}>{plan.reason}</p>
  const openRead = () => {
    const [row, ...others] = read.current
    if (row !== undefined && others.length === 0) onRow?.(row)
  }
  const keys = {
    onClick: openRead,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && openRead(),
  }
  return (
    <div className={classes.chart} data-leads={onRow ? '' : undefined} {...(onRow && keys)}>
      <Drawn plan={plan} onRead={(rows) => (read.current = rows)} onRow={onRow} />
      {plan.notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </div>
  )
}

type DrawnProps = { plan: Plan; onRead: (rows: readonly number[]) => void; onRow: Props['onRow'] }

function Drawn({ plan, onRead, onRow }: DrawnProps) {
  switch (plan.kind) {
    case 'number':
      return (
        <>
          <p className={classes.number}>{plan.value}</p>
          <p className={classes.note}>{plan.words}</p>
        </>
      )
    case 'heatmap':
      return <QueryHeatmap {...plan} onRow={onRow} />
    case 'bar':
      return <BarResult plan={plan} onRead={onRead} />
    case 'box':
      return <Boxes plan={plan} />
    default:
      return <PlaneResult plan={plan} onRead={onRead} onRow={onRow} />
  }
}

function Boxes({ plan }: { plan: Extract<Plan, { kind: 'box' }> }) {
  const { name, groups, outliers, title } = plan
  const { format, domain } = numberAxis(groups.flatMap(({ min, max }) => [min ?? 0, max ?? 0]))
  const points = useMemo(() => {
    const colors = new Map(groups.map(({ group, series }) => [group, series]))
    return outliers.map(({ group, value }, place) => {
      return { id: String(place), group, x: value, y: 0, series: colors.get(group) ?? 0 }
    })
  }, [outliers, groups])
  return (
    <BoxPlot
      label={name}
      groups={groups}
      points={points}
      x={{ label: title, format, tickUnit: 'number', lowest: domain[0], largest: domain[1] }}
      selected={null}
    />
  )
}
