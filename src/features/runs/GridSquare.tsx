import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router'

import type { Run } from '#contract/runs.ts'
import { runCan } from '#contract/run-status.ts'
import { paths } from '#src/paths.ts'
import { gridMark } from './grid-mark.ts'
import classes from './RequestGrid.module.css'

type Props = {
  /** Undefined until it is loaded. */
  run: Run | undefined
  /** Its row and column, as the grid's handlers read them. */
  place: string
  /** Null: the square is a link. Otherwise it is a checkbox. */
  isChosen: boolean | null
  /** Whether Tab reaches it. */
  isActive: boolean
}

/** Memoized: a drag over two thousand squares draws only those it changes. */
export const GridSquare = memo(function GridSquare({ run, place, isChosen, isActive }: Props) {
  if (!run) return <span className={classes.square} data-tone="quiet" />
  const { glyph, label, tone } = gridMark(run)
  const shared = { className: classes.link, 'data-square': place, tabIndex: isActive ? 0 : -1 }
  const content = (
    <span className={classes.square} data-tone={tone} data-status={run.status} title={label} aria-hidden>
      {glyph}
    </span>
  )
  if (isChosen === null)
    return (
      <Link to={paths.run(run.id)} draggable={false} {...shared}>
        <VisuallyHidden>{label}</VisuallyHidden>
        {content}
      </Link>
    )
  return (
    <button type="button" aria-pressed={isChosen} aria-label={label} aria-disabled={!runCan.cancel(run)} {...shared}>
      {content}
    </button>
  )
})
