import { NativeSelect, SegmentedControl } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import type { HeatmapSummary } from '#contract/charts.ts'
import type { HeatmapSort } from '#src/charts/heatmap/heatmap-matrix.ts'
import { shortId } from '#src/format/ids.ts'
import { count, counted } from '#src/format/numbers.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { ResultsView } from './results-parameters.ts'
import classes from './ResultsTab.module.css'

type Props = {
  experiment: Experiment
  summary: HeatmapSummary
  testCount: number
  view: ResultsView
  sort: HeatmapSort
}

/** What the chart covers and what is left out of it; then how it is sorted and shown. */
export function ResultsBar({ experiment, summary, testCount, view, sort }: Props) {
  const url = useQueryState()
  const runs = summary.groups.reduce((sum, group) => sum + group.runs, 0)
  const scope = describeVersion(summary.version, experiment)
  return (
    <div className={classes.bar}>
      <p className={classes.extent}>
        {counted(testCount, 'test')} × {counted(summary.groups.length, 'group')}, {counted(runs, 'run')} of {scope}
        {summary.excludedTestAwareRuns > 0 && ` · ${count(summary.excludedTestAwareRuns)} test-aware excluded`}
      </p>
      <div className={classes.controls}>
        <NativeSelect
          size="xs"
          aria-label="Sort tests"
          value={sort}
          onChange={(event) =>
            url.set({ sort: event.currentTarget.value === 'name' ? null : event.currentTarget.value })
          }
          data={[
            { value: 'name', label: 'By name' },
            { value: 'failures', label: 'Most failing first' },
            { value: 'flaky', label: 'Most flaky first' },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={view}
          onChange={(next) => url.set({ view: next === 'chart' ? null : next })}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </div>
    </div>
  )
}

const describeVersion = (version: string, { fingerprint, ordinal }: Experiment) =>
  version === 'all' ? 'all versions' : version === fingerprint ? `v${ordinal}` : `version ${shortId(version)}`
