import { useQuery } from '@tanstack/react-query'

import { ChartParameters } from '#contract/charts.ts'
import { chartRunsOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'
import { comparisonSentence } from '#src/statistics/comparison-sentence.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './Compare.module.css'
import { comparePair } from './compare-pairs.ts'
import { measures } from './measures.ts'
import { toCandidates } from './to-candidates.ts'

type Props = { experimentId: string; before: string; after: string }

const ofAllVersions = ChartParameters.parse({ version: 'all' })

/** What changing one version into the other did to the pass rate, in the sentence that Compare says. */
export function VersionEffect({ experimentId, before, after }: Props) {
  const runs = useQuery(chartRunsOptions(experimentId, ofAllVersions))
  const { data: stored } = useQuery(versionListOptions(experimentId))
  if (runs.isError)
    return (
      <ErrorNotice title="The results could not be compared" error={runs.error} onRetry={() => void runs.refetch()} />
    )
  if (!runs.data) return <p className={classes.note}>Comparing their results…</p>
  const candidates = toCandidates(runs.data.runs, 'versions', stored?.versions ?? [])
  const left = candidates.find(({ value }) => value === after)
  const right = candidates.find(({ value }) => value === before)
  if (!left || !right) {
    return <p className={classes.note}>No effect on results to tell yet: both versions need finished runs.</p>
  }
  const { comparison } = comparePair(
    runs.data.runs,
    { left: after, right: before },
    { compared: 'version', measure: 'passRate' },
  )
  return (
    <p>
      {comparisonSentence(comparison, { left: left.label, right: right.label, words: measures.passRate.words })}{' '}
      <TextLink
        href={paths.experiment(experimentId, 'results', { view: 'compare', by: 'version', left: after, right: before })}
      >
        Effect on results
      </TextLink>
    </p>
  )
}
