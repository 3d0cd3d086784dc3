import { type ReactNode, useId } from 'react'

import { TableToolsHere, WithTableTools } from './ToolsPlace.tsx'
import classes from './Section.module.css'

/** A titled part of a page. The tools of its tables are beside its title. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <WithTableTools>
      <section aria-labelledby={id} className={classes.section}>
        <div className={classes.head}>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {aside}
          <TableToolsHere />
        </div>
        {children}
      </section>
    </WithTableTools>
  )
}
