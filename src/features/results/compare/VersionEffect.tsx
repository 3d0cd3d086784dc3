import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { ChartParameters } from '#contract/charts.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { experimentOptions, versionListOptions } from '#src/api/experiments.ts'
import { BrokenTests } from '#src/shared/leaderboard/BrokenTests.tsx'
import { testsBrokenBetween } from '#src/shared/leaderboard/version-finding.ts'
import { testsByVersionOptions } from '#src/shared/leaderboard/VersionFinding.tsx'
import { paths } from '#src/paths.ts'
import { comparisonSentence } from '#src/format/comparison-sentence.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { pairOptions } from './compare-in-worker.ts'
import { scopeParameter } from '#src/features/results/view/scope-parameter.ts'
import classes from './Compare.module.css'
import { measureOf } from '#src/features/results/view/measures.ts'
import { toCandidates } from './to-candidates.ts'

type Props = { experimentId: string; before: string; after: string }

const ofAllVersions = ChartParameters.parse({ version: 'all' })
const question = { compared: 'version', measure: 'solved', scope: null } as const

/** The effect of a new version on the solved rate, in the sentence that Compare uses, and the tests that broke with it. */
export function VersionEffect({ experimentId, before, after }: Props) {
  const runs = useQuery(chartRunsOptions(experimentId, ofAllVersions))
  const { data: stored } = useQuery(versionListOptions(experimentId))
  const candidates = toCandidates(runs.data?.runs ?? [], 'versions', stored?.versions ?? [])
  const left = candidates.find(({ value }) => value === after)
  const right = candidates.find(({ value }) => value === before)
  const compared = {
    experimentId,
    parameters: ofAllVersions,
    runs: runs.data?.runs ?? [],
    updatedAt: runs.dataUpdatedAt,
  }
  const pair = useQuery({
    ...pairOptions(compared, question, { left: after, right: before }),
    enabled: left !== undefined && right !== undefined,
  })
  const { data: experiment } = useSuspenseQuery(experimentOptions(experimentId))
  const isWorse = (pair.data?.difference ?? 0) < 0
  const { data: tests } = useQuery({ ...testsByVersionOptions(experiment), enabled: isWorse })
  const error = runs.error ?? pair.error
  if (error) {
    const retry = () => void (runs.error ? runs.refetch() : pair.refetch())
    return <ErrorNotice title="The results could not be compared" error={error} onRetry={retry} />
  }
  if (runs.data && (!left || !right)) {
    return <p className={classes.note}>Run both versions to see the effect on results.</p>
  }
  if (!left || !right || !pair.data) return <p className={classes.note}>Comparing their results…</p>
  const failing = { version_scope: after, result: 'unsolved' }
  return (
    <div className={classes.effect}>
      <p>
        {comparisonSentence(pair.data, {
          left: left.label,
          right: right.label,
          words: measureOf(question.measure).words,
        })}{' '}
        <TextLink
          href={paths.experiment(experimentId, 'results', {
            view: 'compare',
            by: 'version',
            left: after,
            right: before,
            scope: scopeParameter[pair.data.scope],
          })}
        >
          Effect on results
        </TextLink>
        {isWorse && (
          <>
            {' · '}
            <TextLink href={paths.experiment(experimentId, 'runs', failing)}>Runs of {left.label} that fail</TextLink>
          </>
        )}
      </p>
      <BrokenTests
        broken={testsBrokenBetween(tests?.cells ?? [], { version: left.label, since: right.label })}
        version={left.label}
      />
    </div>
  )
}
