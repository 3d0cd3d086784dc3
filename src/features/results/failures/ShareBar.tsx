import type { ReactNode } from 'react'

import classes from './ShareBar.module.css'

type Props = { share: number; label: string; children: ReactNode }

/** A number over a bar of its share. */
export const ShareBar = ({ share, label, children }: Props) => (
  <span className={classes.root} title={label}>
    <span className={classes.number}>{children}</span>
    <span className={classes.track} aria-hidden>
      <span className={classes.bar} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  </span>
)
