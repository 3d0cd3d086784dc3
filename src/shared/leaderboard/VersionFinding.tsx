import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { HeatmapParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { chartOptions } from '#src/api/charts.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import type { LiveResults } from '#src/api/live-results.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { findFlips } from '#statistics/leaderboard/flips.ts'
import { defaultGrouping } from './groupings.ts'
import { solvedTrends } from './solved-trends.ts'
import { trendOptions } from './trend-options.ts'
import { brokenTests, findVersionChange } from './version-finding.ts'
import classes from './VersionFinding.module.css'

type Props = {
  experiment: Experiment
  live: Pick<LiveResults, 'refetchInterval'>
  /** One line with the sentence and its evidence, above results that show the rest. */
  isBrief?: boolean
}

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
  const byTest = HeatmapParameters.parse({ groupBy: `${defaultGrouping(experiment)}~version`, version: 'all' })
  const { data: tests } = useQuery({
    ...chartOptions('tests', id, byTest),
    enabled: finding?.isWorse === true && !isBrief,
    refetchInterval,
  })
  const { data: stored } = useQuery({ ...versionListOptions(id), enabled: finding !== null })
  const flips = useMemo(() => findFlips(tests?.cells ?? []), [tests])
  if (error)
    return (
      <ErrorNotice title="What the newest version changed is unknown" error={error} onRetry={() => void refetch()} />
    )
  if (!finding) return null
  const fingerprintOf = (name: string) => stored?.versions.find(({ ordinal }) => `v${ordinal}` === name)?.fingerprint
  const [version, against] = [fingerprintOf(finding.version), fingerprintOf(finding.since)]
  const changes = version && against && paths.experiment(id, 'definition', { version, against })
  const broken = finding.isWorse && !isBrief ? brokenTests(flips, finding) : []
  const [first] = broken
  const more = broken.length - 1
  return (
    <section aria-label="What changed" className={classes.root} data-brief={isBrief || undefined}>
      <p className={classes.sentence}>
        {isBrief && changes ? <TextLink href={changes}>{finding.sentence}</TextLink> : finding.sentence}
      </p>
      {first && (
        // One line, so that the results below are on the first screen.
        <p className={classes.broken}>
          <code>{first.test}</code> fails in {first.failed} of {counted(first.runs, 'run')}
          {more > 0 && `, and ${counted(more, 'other test')} broke`}
        </p>
      )}
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
