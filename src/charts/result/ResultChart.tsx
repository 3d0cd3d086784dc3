import '#src/charts/series.css'
import './result-chart.css'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react'

import type { Presentation } from '#contract/insight-fields.ts'
import { type Hit, hitAt } from './drawing.ts'
import { drawResult } from './draw-result.ts'
import { MarkupView } from './MarkupView.tsx'
import type { Table } from './read-series.ts'
import classes from './ResultChart.module.css'

type Props = {
  table: Table
  presentation: Presentation
  /** A mark was pressed, by click or Enter, that stands for one row of the result. */
  onRow?: (row: number) => void
}

const noHits: readonly Hit[] = []

/** Any result as a chart; what cannot be drawn says why. Values are read by pointing, and in the table beside it. */
export function ResultChart({ table, presentation, onRow }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [hit, setHit] = useState<Hit | null>(null)
  const drawn = useMemo(() => (width > 0 ? drawResult(table, presentation, width) : null), [table, presentation, width])
  const body = useMemo(() => (drawn && 'body' in drawn ? <MarkupView markup={drawn.body} /> : null), [drawn])
  const hits = drawn && 'hits' in drawn ? drawn.hits : noHits
  const find = (event: MouseEvent<HTMLElement>) => {
    const svg = event.currentTarget.querySelector('.rc-scroll > svg')?.getBoundingClientRect()
    return svg ? hitAt(hits, event.clientX - svg.left, event.clientY - svg.top) : null
  }
  const press = (pressed: Hit | null) => {
    if (typeof pressed?.row === 'number') onRow?.(pressed.row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') press(hit)
    if (step === undefined) return
    event.preventDefault()
    setHit(hits.at(((hit ? hits.indexOf(hit) : -1) + step + hits.length) % Math.max(1, hits.length)) ?? null)
  }
  return (
    <div
      ref={ref}
      className={classes.chart}
      role="application"
      aria-label="Chart; arrow keys read its marks"
      tabIndex={0}
      onKeyDown={onKeyDown}
      onMouseMove={(event) => setHit(find(event))}
      onMouseLeave={() => setHit(null)}
      onClick={(event) => press(find(event))}
    >
      {drawn && 'reason' in drawn && <p className={classes.reason}>{drawn.reason}</p>}
      {body}
      <output className={classes.hint}>{hit?.words}</output>
    </div>
  )
}
