import { useQuery } from '@tanstack/react-query'

import { ChartParameters } from '#contract/charts.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
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

/** The effect of a new version on the solved rate, in the sentence that Compare uses. */
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
  const error = runs.error ?? pair.error
  if (error) {
    const retry = () => void (runs.error ? runs.refetch() : pair.refetch())
    return <ErrorNotice title="The results could not be compared" error={error} onRetry={retry} />
  }
  if (runs.data && (!left || !right)) {
    return <p className={classes.note}>Run both versions to see the effect on results.</p>
  }
  if (!left || !right || !pair.data) return <p className={classes.note}>Comparing their results…</p>
  return (
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
    </p>
  )
}
