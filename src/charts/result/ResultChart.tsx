import '#src/charts/series.css'
import './result-chart.css'
import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'

import type { Presentation } from '#contract/insight-fields.ts'
import { type Hit, hitAt } from './drawing.ts'
import { type DrawnResult, drawResult } from './draw-result.ts'
import { MarkupView } from './MarkupView.tsx'
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
  const { ref, width } = useElementSize<HTMLDivElement>()
  const drawn = useMemo(() => (width > 0 ? drawResult(table, presentation, width) : null), [table, presentation, width])
  return (
    <div ref={ref} className={`rc ${classes.chart}`} aria-busy={!drawn}>
      {drawn && 'reason' in drawn && <p className={classes.reason}>{drawn.reason}</p>}
      {drawn && 'picture' in drawn && <Drawn drawn={drawn} onRow={onRow} />}
    </div>
  )
}

function Drawn({ drawn, onRow }: { drawn: DrawnResult; onRow: Props['onRow'] }) {
  const { legend, picture, notes, hits } = drawn
  const help = useId()
  const [hit, setHit] = useState<Hit | null>(null)
  const drawing = useMemo(() => <MarkupView parts={[picture]} />, [picture])
  const press = (pressed: Hit | null) => {
    if (typeof pressed?.row === 'number') onRow?.(pressed.row)
  }
  const find = (event: MouseEvent<HTMLElement>) => {
    const svg = event.currentTarget.querySelector('svg')?.getBoundingClientRect()
    return svg ? hitAt(hits, event.clientX - svg.left, event.clientY - svg.top) : null
  }
  const place = hit ? hits.indexOf(hit) : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setHit(hits[(place + step + hits.length) % hits.length] ?? null)
  }
  if (hits.length === 0) return <MarkupView parts={[picture, ...notes]} />
  return (
    <>
      <MarkupView parts={legend} />
      <button
        type="button"
        aria-describedby={help}
        className={classes.picture}
        data-leads={(onRow && hit !== null && hit.row !== null) || undefined}
        onKeyDown={onKeyDown}
        onMouseMove={(event) => setHit(find(event))}
        onMouseLeave={() => setHit(null)}
        // A key press has no position, so it refers to the last mark that was read.
        onClick={(event) => press(event.detail === 0 ? hit : find(event))}
      >
        {drawing}
      </button>
      <VisuallyHidden id={help}>Use the arrow keys to read the marks</VisuallyHidden>
      <output className={classes.hint} data-unpublished="">
        {hit?.words}
      </output>
      <MarkupView parts={notes} />
    </>
  )
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
