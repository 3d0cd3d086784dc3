import classes from './PageFigure.module.css'

/** On paper, in place of a figure that had not loaded. */
export const NotPrinted = () => (
  <p className={classes.unprinted}>This figure had not loaded. “Print” on the page of the report waits for figures.</p>
)
