import { VisuallyHidden } from '@mantine/core'

import { countLeftOut } from '#contract/infrastructure.ts'
import { type RunStatus, isTerminal, runStatuses } from '#contract/run-status.ts'
import type { RunRequest } from '#contract/runs.ts'
import { count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Fact } from '#src/ui/Fact.tsx'
import { FactBand } from '#src/ui/FactBand.tsx'
import { LeftOutLink } from '#src/ui/LeftOutLink.tsx'
import { nothingSolved } from '#src/ui/nothing-solved.ts'
import { OutcomeBar } from '#src/ui/OutcomeBar.tsx'
import { SolvedBar } from '#src/ui/SolvedBar.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './RequestProgress.module.css'

/** Finished runs first, so that the bar fills from the left. */
const order: RunStatus[] = [...runStatuses.filter(isTerminal), 'running', 'waiting_for_ci', 'queued']

export function RequestProgress({ request }: { request: RunRequest }) {
  const { statusCounts, runCount } = request
  const finished = runStatuses.filter(isTerminal).reduce((sum, status) => sum + statusCounts[status], 0)
  const linked = (runs: number, filter: string) =>
    runs === 0 ? (
      '0'
    ) : (
      <TextLink href={paths.runs({ run_request_id: request.id, [filter]: true })}>{count(runs)}</TextLink>
    )
  return (
    <section className={classes.root} aria-label="Progress">
      <VisuallyHidden>
        <progress value={finished} max={runCount} aria-label="Runs finished" />
      </VisuallyHidden>
      <div className={classes.bar} aria-hidden>
        {order
          .filter((status) => statusCounts[status] > 0)
          .map((status) => (
            <span
              key={status}
              data-status={isTerminal(status) ? 'finished' : status}
              style={{ flexGrow: statusCounts[status] }}
            />
          ))}
      </div>
      <FactBand>
        <Fact name="Finished">
          {count(finished)} of {counted(runCount, 'run')}
        </Fact>
        <Fact name="Timed out">{linked(request.timedOutCount, 'timed_out')}</Fact>
        <Fact name="Limited by plan">{linked(request.planLimitedCount, 'plan_limited')}</Fact>
        <Fact name="Test-aware">{linked(request.testAwareCount, 'test_aware')}</Fact>
        {countLeftOut(request.leftOutRuns) > 0 && (
          <Fact name="Left out">
            <LeftOutLink
              leftOut={request.leftOutRuns}
              href={paths.runs({ run_request_id: request.id, infrastructure_cause: 'any' })}
            />
          </Fact>
        )}
        <Fact name="Solved">
          {request.solved.runs > 0 ? <SolvedBar counts={request.solved} /> : nothingSolved(request)}
        </Fact>
        <Fact name="Tests">
          {finished === 0 ? 'No run has ended' : <OutcomeBar counts={request.outcomes} text="counts" />}
        </Fact>
      </FactBand>
    </section>
  )
}
