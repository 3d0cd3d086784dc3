import type { ReactNode } from 'react'

import classes from './ResultBar.module.css'

/** The size of a result, followed by its display and export options. */
export const ResultBar = ({ extent, children }: { extent: ReactNode; children: ReactNode }) => (
  <div className={classes.bar}>
    <p className={classes.extent}>{extent}</p>
    <div className={classes.controls}>{children}</div>
  </div>
)
