import classes from './PendingBar.module.css'

/** Before the first page stands. */
export const Starting = () => <progress className={classes.bar} aria-label="Loading" />
