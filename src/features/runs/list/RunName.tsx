import type { Run } from '#contract/runs.ts'
import { MiddleText } from '#src/ui/MiddleText.tsx'
import { RunMarks } from './RunMarks.tsx'
import classes from './runs.module.css'

/** A run as people call it: its variant and which repeat; beside it what sets it apart. */
export function RunName({ run }: { run: Pick<Run, 'variantId' | 'repeat' | 'mock' | 'testAware' | 'timeLimit'> }) {
  return (
    <span className={classes.name}>
      <MiddleText>{run.variantId}</MiddleText>
      <span className={classes.repeat} title={`Repeat ${run.repeat}`}>
        #{run.repeat}
      </span>
      <RunMarks run={run} />
    </span>
  )
}
