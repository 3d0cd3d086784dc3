import classes from './Drift.module.css'

/** How the pinned data of a figure differs from the live data. */
export const Drift = ({ text }: { text: string }) => (
  <output className={classes.drift} data-unpublished="">
    {text}
  </output>
)
