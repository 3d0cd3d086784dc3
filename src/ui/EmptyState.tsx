import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'

export type Empty = { title: string; hint?: ReactNode; action?: ReactNode }

/** Says that there is nothing yet, and what to do next. */
export function EmptyState({ title, hint, action }: Empty) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {hint && <p className={classes.hint}>{hint}</p>}
      {action}
    </div>
  )
}
