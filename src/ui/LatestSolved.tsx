import type { ExperimentSummary } from '#contract/experiments.ts'
import { paths } from '#src/paths.ts'
import classes from './LatestSolved.module.css'
import { LeftOutLink } from './LeftOutLink.tsx'
import { SolvedBar } from './SolvedBar.tsx'
import mutedText from './muted-text.module.css'

type Props = {
  experiment: Pick<ExperimentSummary, 'id' | 'latestSolved' | 'latestLeftOut' | 'latestResultsFingerprint'>
  /** Shown instead of a rate if no run counts. */
  none: string
  isNamed?: boolean
}

/** The solved rate of an experiment's latest version with results, and the runs that it leaves out. */
export function LatestSolved({ experiment, none, isNamed = false }: Props) {
  const { id, latestSolved, latestLeftOut, latestResultsFingerprint } = experiment
  return (
    <span className={classes.root}>
      {latestSolved ? (
        <SolvedBar counts={latestSolved} isNamed={isNamed} />
      ) : (
        <span className={mutedText.plain}>{none}</span>
      )}
      <LeftOutLink
        leftOut={latestLeftOut}
        href={paths.experiment(id, 'runs', { infrastructure_cause: 'any', version_scope: latestResultsFingerprint })}
        isShort
        className={classes.leftOut}
      />
    </span>
  )
}
