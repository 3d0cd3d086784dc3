import { counted } from '#src/format/numbers.ts'
import classes from './RunProgress.module.css'

/** How many runs have finished, as a bar and in words. */
export const RunProgress = ({ label, finished, runs }: { label: string; finished: number; runs: number }) => (
  <>
    <progress className={classes.bar} max={runs} value={finished} aria-label={label} />
    <span className="tabular">
      {finished} of {counted(runs, 'run')} finished
    </span>
  </>
)
