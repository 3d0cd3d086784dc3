import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { QueryTarget } from '#src/api/queries.ts'
import { Dimension, type IntervalUnit, Metric } from '#contract/queries.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { QueryResultView } from './QueryResultView.tsx'
import { DimensionFilter } from './DimensionFilter.tsx'
import { ModeSwitch } from './ModeSwitch.tsx'
import classes from './QueryPage.module.css'
import { QueryOptions } from './QueryOptions.tsx'
import { modeledFilters, requestOf } from './query-state.ts'
import { useQueryResult } from './use-query-result.ts'
import { useQueryUrl } from './use-query-url.ts'

const metricNames: Record<Metric, string> = {
  testPassRate: 'Test pass rate',
  testsPassed: 'Tests passed',
  testsFailed: 'Tests failed',
  cost: 'Cost (USD)',
  wallClockTime: 'Time (seconds)',
  tokens: 'Tokens',
  toolCalls: 'Tool calls',
  toolFailures: 'Tool failures',
}

const intervalWords: Record<IntervalUnit, string> = {
  runs: 'Intervals are 95 %, over runs (Student’s t): each run counts as independent, so they are too short where prompts differ.',
  prompts:
    'Intervals are 95 %, over prompts (Student’s t): the prompts count as a random sample of prompts like these, and the variants of a task as one.',
}

/** Means of measures by group. Every choice changes the URL and runs the query. */
export function ModeledPane({ target }: { target: QueryTarget }) {
  const { state, set } = useQueryUrl()
  const { modeled } = state
  const experimentId = target.kind === 'experiment' ? target.experimentId : ''
  const versions = useQuery(versionListOptions(experimentId))
  const request = requestOf(state)
  const answer = useQueryResult(request)
  const ordinalOf = (fingerprint: string) =>
    versions.data?.versions.find((version) => version.fingerprint === fingerprint)?.ordinal
  return (
    <>
      <fieldset className={classes.modeled} aria-label="Query builder">
        <MultiFilter
          label="Mean of"
          options={Metric.options}
          value={modeled.metrics ?? []}
          onChange={(metric) => set({ metric })}
          labelOf={(metric) => metricNames[Metric.parse(metric)]}
        />
        <MultiFilter
          label="Group by"
          options={Dimension.options}
          value={modeled.groupBy ?? []}
          onChange={(by) => set({ by })}
        />
        {modeledFilters.map(({ dimension, field }) => (
          <DimensionFilter
            key={dimension}
            experimentId={experimentId}
            dimension={dimension}
            version={modeled.experimentVersion}
            value={modeled[field] ?? []}
            onChange={(values) => set({ [dimension]: values })}
          />
        ))}
        <SingleFilter
          label="Version"
          options={versions.data?.versions.map(({ fingerprint }) => fingerprint) ?? []}
          value={modeled.experimentVersion}
          onChange={(version) => set({ version: version ?? null })}
          labelOf={(fingerprint) => `v${ordinalOf(fingerprint) ?? fingerprint}`}
        />
      </fieldset>
      <div className={classes.verbs}>
        <ModeSwitch isModeled compiledSql={answer.data?.compiledSql} />
        <NativeSelect
          size="xs"
          aria-label="95 % interval"
          value={modeled.interval ?? ''}
          onChange={(event) => set({ interval: event.currentTarget.value || null })}
          data={[
            { value: '', label: 'No intervals' },
            { value: 'runs', label: '95 % interval over runs' },
            { value: 'prompts', label: '95 % interval over prompts' },
          ]}
        />
        <QueryOptions scope={target} />
      </div>
      {modeled.interval && <p className={mutedText.note}>{intervalWords[modeled.interval]}</p>}
      {answer.error && <ErrorNotice title="Query failed" error={answer.error} onRetry={answer.again} />}
      {answer.data && request && (
        <>
          <QueryResultView
            request={request}
            result={answer.data}
            sql={answer.data.compiledSql}
            isOld={answer.isFetching}
            refresh={answer.refetch}
          />
          <details className={classes.compiledSql}>
            <summary>Generated SQL</summary>
            <pre className={classes.compiled}>{answer.data.compiledSql}</pre>
          </details>
        </>
      )}
    </>
  )
}
