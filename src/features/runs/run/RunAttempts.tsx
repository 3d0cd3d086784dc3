import { causeLabels, isOfDefinition } from '#contract/infrastructure.ts'
import type { RunDetail } from '#contract/runs.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { describeAttempts } from './describe-attempts.ts'
import classes from './RunAttempts.module.css'

/** Which attempt a run is in, why and when the others ended, and what they cost. */
export function RunAttempts({ run }: { run: RunDetail }) {
  const attempts = describeAttempts(run.statusHistory)
  if (!attempts) return null
  const { earlierAttempts: earlier, claimableAt } = run
  return (
    <div className={classes.attempts}>
      <p>
        {attempts.sentence}
        {claimableAt && (
          <>
            {' '}
            It starts <RelativeTime at={claimableAt} isPlanned /> at the earliest.
          </>
        )}
        {earlier && ` ${chargesOf(earlier)}`}
      </p>
      <ol>
        {attempts.ended.map(({ at, attempt, text, infrastructureCause }) => (
          <li key={attempt}>
            {text}{' '}
            <span className={classes.facts}>
              {infrastructureCause &&
                `${isOfDefinition(infrastructureCause) ? 'Definition' : 'Infrastructure'}: ${causeLabels[infrastructureCause]} · `}
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function chargesOf({ costUsd, seconds: spent }: NonNullable<RunDetail['earlierAttempts']>) {
  const ofModels = costUsd > 0 ? [`${usd(costUsd)} for model calls`] : []
  return `Earlier attempts are also charged: ${[...ofModels, `${seconds(spent)} of worker time`].join(' and ')}.`
}
