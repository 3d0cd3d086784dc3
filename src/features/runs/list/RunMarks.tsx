import { exitCodeInWords } from '#contract/exit-codes.ts'
import { causeLabels, whyLeftOut } from '#contract/infrastructure.ts'
import type { Run } from '#contract/runs.ts'
import classes from './runs.module.css'

type Props = {
  run: Pick<Run, 'mock' | 'testAware' | 'timeLimit' | 'agentExitCode' | 'infrastructureCause' | 'disputed'>
}

/** Marks what is unusual about a run. */
export function RunMarks({ run }: Props) {
  return (
    <span className={classes.marks}>
      {run.mock && <span title="Simulated, free">mock</span>}
      {run.infrastructureCause && (
        <span title={whyLeftOut(run.infrastructureCause)}>{causeLabels[run.infrastructureCause]}</span>
      )}
      {run.timeLimit?.hit && <span title="The run reached its time limit">timed out</span>}
      {run.agentExitCode ? (
        <span title={`The agent exited with ${exitCodeInWords(run.agentExitCode)}`}>exit {run.agentExitCode}</span>
      ) : null}
      {run.disputed && <span title="A person says that the measured outcome is wrong">disputed</span>}
      {run.testAware && <span title="The agent noticed it was being tested">test-aware</span>}
    </span>
  )
}
