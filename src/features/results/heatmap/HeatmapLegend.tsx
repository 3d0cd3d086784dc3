import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from '#src/features/results/view/ResultsTab.module.css'

/** How to read a cell, in words. */
export const HeatmapLegend = () => (
  <p className={classes.legend}>
    <span>
      <OutcomeGlyph outcome="passed" /> All counted tests passed
    </span>
    <span>
      <OutcomeGlyph outcome="failed" /> None passed
    </span>
    <span>Number: % passed of tests not skipped; “3/5” = passed/total where space allows</span>
    <span>– Only skipped</span>
    <span>Blank: no runs</span>
  </p>
)
