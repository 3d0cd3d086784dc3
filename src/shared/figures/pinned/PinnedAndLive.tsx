import type { ReactNode } from 'react'

import classes from './PinnedAndLive.module.css'

/** The pinned form of a figure beside its live form, or below each other where there is no room. */
export const PinnedAndLive = ({ pinned, live }: { pinned: ReactNode; live: ReactNode }) => (
  <div className={classes.frame}>
    <div className={classes.both}>
      <section className={classes.one} aria-label="Pinned">
        <p className={classes.label}>Pinned</p>
        {pinned}
      </section>
      <section className={classes.one} aria-label="Live">
        <p className={classes.label}>Live</p>
        {live}
      </section>
    </div>
  </div>
)
