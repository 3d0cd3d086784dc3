import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router'

import type { Run } from '#contract/runs.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import { EmptySquare, Square } from '#src/ui/Square.tsx'
import classes from '#src/ui/Square.module.css'
import { countedTests } from '#contract/outcomes.ts'
import { type StatusMark, describeCounts, leftOutMark, outcomeMarks, runStatusMarks } from '#src/ui/status-marks.ts'

type Props = {
  /** Undefined until it has loaded. */
  run: Run | undefined
  /** Its row and column, which the grid's handlers read. */
  place: string
  /** Null makes the square a link; otherwise it is a checkbox. */
  isChosen: boolean | null
  /** Whether Tab can reach it. */
  isActive: boolean
}

/** Memoized, so that a drag over two thousand squares renders only the changed ones. */
export const GridSquare = memo(function GridSquare({ run, place, isChosen, isActive }: Props) {
  if (!run) return <EmptySquare />
  const mark = gridMark(run)
  const shared = { className: classes.holder, 'data-square': place, tabIndex: isActive ? 0 : -1 }
  if (isChosen === null)
    return (
      <Link to={paths.run(run.id)} draggable={false} {...shared}>
        <VisuallyHidden>{mark.label}</VisuallyHidden>
        <Square mark={mark} />
      </Link>
    )
  return (
    <button type="button" aria-pressed={isChosen} aria-label={mark.label} {...shared}>
      <Square mark={mark} />
    </button>
  )
})

/** A finished run is marked by its test outcomes, any other run by its status. */
function gridMark(run: Run): StatusMark {
  const { status, outcomes, infrastructureCause } = run
  const place = `${nameOfAxes(run.variantId)}, repeat ${run.repeat}`
  if (infrastructureCause) {
    const mark = leftOutMark(infrastructureCause)
    return { ...mark, label: `${place}: ${mark.label}` }
  }
  const label = `${place}: ${runStatusMarks[status].label.toLowerCase()}`
  if (status !== 'completed') return { ...runStatusMarks[status], label }
  const withTests = `${label}, ${describeCounts(outcomes)}`
  if (countedTests(outcomes) === 0) return { ...runStatusMarks.completed, label: withTests }
  const worst = (['failed', 'errored', 'unresolved'] as const).find((outcome) => outcomes[outcome] > 0) ?? 'passed'
  return { ...outcomeMarks[worst], label: withTests }
}
