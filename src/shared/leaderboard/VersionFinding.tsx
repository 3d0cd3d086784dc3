import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { HeatmapParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { BrokenTests } from './BrokenTests.tsx'
import { defaultGrouping } from './groupings.ts'
import { solvedTrends } from './solved-trends.ts'
import { trendOptions } from './trend-options.ts'
import { findVersionChange, testsBrokenBetween } from './version-finding.ts'
import classes from './VersionFinding.module.css'

type Props = {
  experiment: Experiment
  live: Pick<LiveResults, 'refetchInterval'>
  /** One line with the sentence and its evidence, above results that show the rest. */
  isBrief?: boolean
}

/** The outcomes of each test in each version of each group. */
export const testsByVersionOptions = (experiment: Experiment) =>
  chartOptions(
    'tests',
    experiment.id,
    HeatmapParameters.parse({ groupBy: `${defaultGrouping(experiment)}~version`, version: 'all' }),
  )

/** What the newest version changed, or null while no change is more than chance. `error` says why it is unknown. */
export function useVersionFinding(experiment: Experiment, { refetchInterval }: Props['live']) {
  const { data, error, refetch } = useQuery({
    ...trendOptions(experiment, 'version'),
    enabled: experiment.versionCount > 1,
    refetchInterval,
  })
  const finding = useMemo(() => (data ? findVersionChange(solvedTrends(data)) : null), [data])
  return { finding, error: data ? null : error, refetch }
}

/** The finding with its evidence a click away. */
export function VersionFinding({ experiment, live, isBrief = false }: Props) {
  const { id } = experiment
  const { refetchInterval } = live
  const { finding, error, refetch } = useVersionFinding(experiment, live)
  const { data: tests } = useQuery({
    ...testsByVersionOptions(experiment),
    enabled: finding?.isWorse === true && !isBrief,
    refetchInterval,
  })
  const { data: stored } = useQuery({ ...versionListOptions(id), enabled: finding !== null })
  const broken = useMemo(
    () => (finding?.isWorse && tests ? testsBrokenBetween(tests.cells, finding) : []),
    [finding, tests],
  )
  if (error)
    return (
      <ErrorNotice title="What the newest version changed is unknown" error={error} onRetry={() => void refetch()} />
    )
  if (!finding) return null
  const fingerprintOf = (name: string) => stored?.versions.find(({ ordinal }) => `v${ordinal}` === name)?.fingerprint
  const [version, against] = [fingerprintOf(finding.version), fingerprintOf(finding.since)]
  const changes = version && against && paths.experiment(id, 'definition', { version, against })
  return (
    <section aria-label="What changed" className={classes.root} data-brief={isBrief || undefined}>
      <p className={classes.sentence}>
        {isBrief && changes ? <TextLink href={changes}>{finding.sentence}</TextLink> : finding.sentence}
      </p>
      {!isBrief && <BrokenTests broken={broken} version={finding.version} />}
      <p className={classes.evidence}>
        {version && against && (
          <>
            {changes && !isBrief && <TextLink href={changes}>Changes of the definition</TextLink>}
            <TextLink
              href={paths.experiment(id, 'results', { view: 'compare', by: 'version', left: version, right: against })}
            >
              Compare prompt by prompt
            </TextLink>
          </>
        )}
        <TextLink href={paths.experiment(id, 'results', { view: 'trends' })}>
          {finding.isWorse ? 'Tests that broke' : 'Tests that changed'}
        </TextLink>
        {finding.isWorse && version && (
          <TextLink href={paths.experiment(id, 'runs', { version_scope: version, result: 'unsolved' })}>
            Runs that fail
          </TextLink>
        )}
      </p>
    </section>
  )
}
