import type { Run } from '#contract/runs.ts'
import classes from './runs.module.css'

type Props = { run: Pick<Run, 'mock' | 'testAware' | 'timeLimit'> }

/** What sets a run apart from a plain one. */
export function RunMarks({ run }: Props) {
  return (
    <span className={classes.marks}>
      {run.mock && <span title="Deterministic mock driver, no model spend">mock</span>}
      {run.timeLimit?.hit && <span title="Ended because time ran out">timed out</span>}
      {run.testAware && <span title="The agent noticed that it was tested">test-aware</span>}
    </span>
  )
}
