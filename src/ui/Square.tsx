import classes from './Square.module.css'
import type { StatusMark } from './status-marks.ts'

/**
 * The picture of one run in a grid. The link or button around it, `holder` in the same stylesheet, has the accessible
 * name.
 */
export const Square = ({ mark: { glyph, label, tone } }: { mark: StatusMark }) => (
  <span className={classes.square} data-tone={tone} title={label} aria-hidden>
    {glyph}
  </span>
)

/** Shown until the run is loaded. */
export const EmptySquare = () => <span className={classes.square} data-tone="quiet" />
