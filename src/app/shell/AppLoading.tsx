import classes from './PendingBar.module.css'

/** Shown until the first page is ready. */
export const AppLoading = () => <progress className={classes.bar} aria-label="Loading" />
