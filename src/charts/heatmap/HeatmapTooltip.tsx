import { percent } from '#src/format/numbers.ts'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { countedTests, outcomes, passRate } from '#contract/outcomes.ts'
import mutedText from '#src/ui/muted-text.module.css'

import { readCell } from './describe-cell.ts'
import { type CellPosition, type HeatmapLayout, type Offset, type Size, cellOrigin } from './heatmap-geometry.ts'
import type { HeatmapMatrix } from './heatmap-matrix.ts'
import type { ShownRow } from './heatmap-tree.ts'
import classes from './HeatmapTooltip.module.css'

type Props = {
  matrix: HeatmapMatrix<ShownRow>
  cell: CellPosition
  layout: HeatmapLayout
  scroll: Offset
  viewport: Size
}

/** The full names and counts of one cell, next to it and never over it. */
export function HeatmapTooltip({ matrix, cell, layout, scroll, viewport }: Props) {
  const content = readCell(matrix, cell)
  if (!content) return null
  const { y, ...origin } = cellOrigin(layout, scroll, cell)
  const x = Math.max(layout.labelWidth - layout.columnWidth, origin.x)
  const isRightHalf = x > viewport.width / 2
  const isLowerHalf = y > viewport.height / 2
  const place = {
    [isRightHalf ? 'right' : 'left']: isRightHalf ? viewport.width - x + 6 : x + layout.columnWidth + 6,
    [isLowerHalf ? 'bottom' : 'top']: isLowerHalf ? viewport.height - y - layout.rowHeight : y,
  }
  const { counts } = content
  const rate = counts ? passRate(counts) : null
  return (
    <div className={classes.root} style={place} aria-hidden>
      <div className={classes.test}>{content.test}</div>
      <div className={mutedText.plain}>
        {content.group}
        {content.tests && ` · ${content.tests}`}
      </div>
      {counts && rate !== null && (
        <div>
          {percent(rate)} passed, {counts.passed} of {countedTests(counts)}
        </div>
      )}
      {!counts && <div className={mutedText.plain}>Not run</div>}
      {counts && (
        <div className={classes.counts}>
          {outcomes.map((outcome) => (
            <span key={outcome} data-none={counts[outcome] === 0 || undefined}>
              <OutcomeGlyph outcome={outcome} /> {counts[outcome]} {outcome}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
