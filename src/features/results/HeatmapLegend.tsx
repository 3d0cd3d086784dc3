import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import classes from './ResultsTab.module.css'

/** How to read a cell, in words. */
export const HeatmapLegend = () => (
  <p className={classes.legend}>
    <span>
      <OutcomeGlyph outcome="passed" /> every counted test passed
    </span>
    <span>
      <OutcomeGlyph outcome="failed" /> none passed
    </span>
    <span>number: percent passed, and of how many (all but skipped) where there is room</span>
    <span>– only skipped</span>
    <span>blank: no run</span>
  </p>
)
