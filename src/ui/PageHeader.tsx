import type { ReactNode } from 'react'

import classes from './PageHeader.module.css'

type Props = {
  title: ReactNode
  /** Breadcrumbs above the title. */
  above?: ReactNode
  /** One line of facts below the title. */
  facts?: ReactNode
  actions?: ReactNode
  /** Its parts share one line where the window is wide enough; tabs follow. */
  isOneLine?: boolean
}

export function PageHeader({ title, above, facts, actions, isOneLine }: Props) {
  return (
    <header className={classes.header} data-one-line={isOneLine}>
      <div className={classes.text}>
        {above && <div className={classes.above}>{above}</div>}
        <h1 className={classes.title}>{title}</h1>
        {facts && <div className={classes.facts}>{facts}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
