import type { ReactNode } from 'react'

import classes from './FactBand.module.css'

/** One named value of a `FactBand`. */
export const Fact = ({ name, title, children }: { name: string; title?: string; children: ReactNode }) => (
  <div className={classes.fact} title={title}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
