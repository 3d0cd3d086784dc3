import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'

export type Empty = { title: string; hint?: ReactNode; action?: ReactNode }

/** Says that there is nothing yet, and what to do next. With `isPage` it replaces a whole page, and its title is the page's heading. */
export function EmptyState({ title, hint, action, isPage = false }: Empty & { isPage?: boolean }) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.empty}>
      <Title className={classes.title}>{title}</Title>
      {hint && <p className={classes.hint}>{hint}</p>}
      {action}
    </div>
  )
}
