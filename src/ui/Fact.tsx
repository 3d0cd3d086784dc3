import type { ReactNode } from 'react'

import classes from './FactBand.module.css'

type Props = {
  name: string
  title?: string
  /** The heading of the page says it too, so a phone leaves it out. */
  isInHeading?: boolean
  children: ReactNode
}

/** One named value of a `FactBand`. */
export const Fact = ({ name, title, isInHeading, children }: Props) => (
  <div className={classes.fact} title={title} data-in-heading={isInHeading || undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
