import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import { shortId } from '#src/format/ids.ts'
import { count } from '#src/format/numbers.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { ShownAs } from './results-parameters.ts'
import classes from './ResultsTab.module.css'

type Props = {
  experiment: Experiment
  /** What is counted: `3 groups, 24 runs`. */
  extent: string
  /** What has no place in it: `12 without cost`. */
  leftOut?: string | null
  /** What the parameters resolved to. */
  version: string
  excludedTestAwareRuns: number
  /** Absent where there is no chart to be the twin of. */
  as?: ShownAs
  children?: ReactNode
}

/** What a view covers and what is left out of it; then how it is arranged and shown. */
export function ResultsBar({ experiment, extent, leftOut, version, excludedTestAwareRuns, as, children }: Props) {
  const url = useQueryState()
  return (
    <div className={classes.bar}>
      <p className={classes.extent}>
        {extent} of {describeVersion(version, experiment)}
        {leftOut && ` · ${leftOut}`}
        {excludedTestAwareRuns > 0 && ` · ${count(excludedTestAwareRuns)} test-aware excluded`}
      </p>
      <div className={classes.controls}>
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
      </div>
    </div>
  )
}

const describeVersion = (version: string, { fingerprint, ordinal }: Experiment) =>
  version === 'all' ? 'all versions' : version === fingerprint ? `v${ordinal}` : `version ${shortId(version)}`
