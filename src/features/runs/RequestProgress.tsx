import { type RunStatus, isTerminal, runStatuses } from '#contract/run-status.ts'
import type { RunRequest } from '#contract/runs.ts'
import { count, counted } from '#src/format/numbers.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { runStatusMarks } from '#src/ui/status-marks.ts'
import classes from './RequestProgress.module.css'

/** Finished first, so the bar fills from the left. */
const order: RunStatus[] = [...runStatuses.filter(isTerminal), 'running', 'waiting_for_ci', 'queued']

export function RequestProgress({ request }: { request: RunRequest }) {
  const { statusCounts, runCount } = request
  const finished = runStatuses.filter(isTerminal).reduce((sum, status) => sum + statusCounts[status], 0)
  return (
    <section className={classes.root} aria-label="Progress">
      <progress className={classes.spoken} value={finished} max={runCount} aria-label="Runs finished" />
      <div className={classes.bar} aria-hidden>
        {order.map((status) => (
          <span
            key={status}
            data-tone={status === 'completed' ? 'passed' : runStatusMarks[status].tone}
            data-status={status}
            style={{ flexGrow: statusCounts[status] }}
          />
        ))}
      </div>
      <dl className={classes.counts}>
        <Fact name="Finished" value={`${count(finished)} of ${counted(runCount, 'run')}`} />
        <Fact name="Timed out" value={count(request.timedOutCount)} />
        <Fact name="Limited by plan" value={count(request.planLimitedCount)} />
        <Fact name="Test-aware" value={count(request.testAwareCount)} />
        <div className={classes.fact}>
          <dt>Tests</dt>
          <dd>
            <OutcomeBar counts={request.outcomes} text="counts" />
          </dd>
        </div>
      </dl>
    </section>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
