import type { ReactNode } from 'react'

import classes from './FigureProblem.module.css'

/** Why a block of a report cannot be shown as its writer meant it. */
export const FigureProblem = ({ children }: { children: ReactNode }) => (
  <p role="note" className={classes.problem}>
    {children}
  </p>
)
