import classes from './Square.module.css'
import type { StatusMark } from './status-marks.ts'

/**
 * One run in a field of many. It is only the picture: the link or button around it, `holder` of the same stylesheet,
 * says in words what it stands for.
 */
export const Square = ({ mark: { glyph, label, tone } }: { mark: StatusMark }) => (
  <span className={classes.square} data-tone={tone} title={label} aria-hidden>
    {glyph}
  </span>
)

/** Stands where a run is not known yet. */
export const EmptySquare = () => <span className={classes.square} data-tone="quiet" />
