import { VisuallyHidden } from '@mantine/core'

import type { Run } from '#contract/runs.ts'
import { runCan } from '#contract/run-status.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { gridMark } from './grid-mark.ts'
import classes from './RequestGrid.module.css'

type Props = {
  /** Undefined until it is loaded. */
  run: Run | undefined
  /** Null: the square is a link. Otherwise it is a checkbox. */
  isChosen: boolean | null
  onChoose: () => void
}

export function GridSquare({ run, isChosen, onChoose }: Props) {
  if (!run) return <span className={classes.square} data-tone="quiet" />
  const { glyph, label, tone } = gridMark(run)
  const content = (
    <span className={classes.square} data-tone={tone} data-status={run.status} title={label} aria-hidden>
      {glyph}
    </span>
  )
  if (isChosen === null)
    return (
      <TextLink href={paths.run(run.id)} className={classes.link}>
        <VisuallyHidden>{label}</VisuallyHidden>
        {content}
      </TextLink>
    )
  return (
    <button
      type="button"
      className={classes.link}
      aria-pressed={isChosen}
      aria-label={label}
      disabled={!runCan.cancel(run)}
      onClick={onChoose}
    >
      {content}
    </button>
  )
}
