import classes from './PageFigure.module.css'

/** On paper, in place of a figure that had not loaded. */
export const NotPrinted = () => (
  <p className={classes.unprinted}>
    This figure had not loaded when the page was printed. To include it, use “Print or save as PDF” on the report page.
  </p>
)
