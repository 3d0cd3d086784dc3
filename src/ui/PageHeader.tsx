import type { ReactNode } from 'react'

import classes from './PageHeader.module.css'

type Props = {
  title: ReactNode
  /** Breadcrumbs above the title. */
  above?: ReactNode
  /** One line of facts below the title. */
  facts?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, above, facts, actions }: Props) {
  return (
    <header className={classes.header}>
      <div className={classes.text}>
        {above && <div className={classes.above}>{above}</div>}
        <h1 className={classes.title}>{title}</h1>
        {facts && <div className={classes.facts}>{facts}</div>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
