import type { ReactNode } from 'react'

import classes from './ResultBar.module.css'

/** How much a result holds; then how it is shown and taken elsewhere. */
export const ResultBar = ({ extent, children }: { extent: ReactNode; children: ReactNode }) => (
  <div className={classes.bar}>
    <p className={classes.extent}>{extent}</p>
    <div className={classes.controls}>{children}</div>
  </div>
)
