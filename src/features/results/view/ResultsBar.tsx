import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import type { ChartScope } from '#src/copy-as/sql-parts.ts'
import { count } from '#src/format/numbers.ts'
import { ResultBar } from '#src/ui/ResultBar.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { describeVersion } from './result-facts.ts'
import type { DisplayMode } from './results-parameters.ts'
import { type ExportedView, ExportMenu } from './ExportMenu.tsx'

type Props = {
  experiment: Experiment
  /** What is counted: `3 groups, 24 runs`. */
  extent: string
  /** What has no place in it: `12 without cost`. */
  leftOut?: string | null
  scope: ChartScope
  excludedTestAwareRuns: number
  /** Absent where there is no chart to be the twin of. */
  as?: DisplayMode
  /** What can be clipped and copied. */
  shown?: ExportedView
  children?: ReactNode
}

/** What a view covers and what is left out of it; then how it is arranged and shown. */
export function ResultsBar({ experiment, extent, leftOut, scope, excludedTestAwareRuns, as, shown, children }: Props) {
  const url = useQueryState()
  return (
    <ResultBar
      extent={
        <>
          {extent} of {describeVersion(scope.version, experiment)}
          {leftOut && ` · ${leftOut}`}
          {excludedTestAwareRuns > 0 && ` · ${count(excludedTestAwareRuns)} test-aware excluded`}
        </>
      }
    >
      {children}
      {as && (
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={as}
          onChange={(next) => url.set({ as: next === 'chart' ? null : next })}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      )}
      {shown && <ExportMenu experiment={experiment} scope={scope} shown={shown} />}
    </ResultBar>
  )
}
