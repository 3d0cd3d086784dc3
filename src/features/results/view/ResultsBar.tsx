import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'

import type { ChartPopulation, Omissions } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { countLeftOut } from '#contract/infrastructure.ts'
import { describeMixedImages } from '#contract/mixed-images.ts'
import type { ChartScope } from '#src/shared/copy-as/sql-parts.ts'
import { count } from '#src/format/numbers.ts'
import { LeftOutLink } from '#src/ui/LeftOutLink.tsx'
import { ResultBar } from '#src/ui/ResultBar.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { VersionName } from './VersionName.tsx'
import { runsHrefs } from '#src/shared/leaderboard/group-runs.ts'
import { heldBackText } from '#src/shared/leaderboard/so-far.ts'
import type { DisplayMode } from './results-parameters.ts'
import { type ExportedView, ExportMenu } from './ExportMenu.tsx'

type Props = {
  experiment: Experiment
  /** The counted data: `3 groups, 24 runs`. */
  extent: string
  /** The omitted data: `12 without cost`. */
  leftOut?: string | null
  scope: ChartScope
  omissions: Omissions & Pick<ChartPopulation, 'unfinished'>
  /** Omitted if the view has no chart. */
  as?: DisplayMode
  /** What the URL need not name. */
  defaultAs?: DisplayMode
  /** The content for clips and copies. */
  shown?: ExportedView
  children?: ReactNode
}

/** States what a view covers and what it omits, and offers its display options. */
export function ResultsBar(props: Props) {
  const { experiment, extent, leftOut, scope, omissions, as, defaultAs = 'chart', shown, children } = props
  const { excludedTestAwareRuns, leftOutRuns, mixedImages, unfinished } = omissions
  const url = useQueryState()
  return (
    <ResultBar
      extent={
        <>
          {extent} of <VersionName experiment={experiment} version={scope.version} />
          {leftOut && ` · ${leftOut}`}
          {unfinished && unfinished.endedRuns > 0 && ` · ${heldBackText(unfinished)}`}
          {excludedTestAwareRuns > 0 && ` · ${count(excludedTestAwareRuns)} test-aware excluded`}
          {countLeftOut(leftOutRuns) > 0 && (
            <>
              {' · '}
              <LeftOutLink
                leftOut={leftOutRuns}
                href={runsHrefs(experiment.id, scope.parameters, scope.version).all('left out')}
              />
            </>
          )}
          {mixedImages.length > 0 && ` · ${describeMixedImages(mixedImages)}`}
        </>
      }
    >
      {children}
      {as && (
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={as}
          onChange={(next) => url.set({ as: next === defaultAs ? null : next })}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      )}
      {shown && <ExportMenu experiment={experiment} scope={scope} shown={shown} hasFigure />}
    </ResultBar>
  )
}
