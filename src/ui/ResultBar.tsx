import type { ReactNode } from 'react'

import { PageOnly } from './PageOnly.tsx'
import classes from './ResultBar.module.css'

/** The size of a result, followed by its display and export options. A figure of a report has none. */
export const ResultBar = ({ extent, children }: { extent: ReactNode; children: ReactNode }) => (
  <div className={classes.bar}>
    <p className={classes.extent}>{extent}</p>
    <PageOnly andForm>
      <div className={classes.controls}>{children}</div>
    </PageOnly>
  </div>
)
