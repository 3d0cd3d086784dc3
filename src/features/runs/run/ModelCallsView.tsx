import { useQuery } from '@tanstack/react-query'

import type { RunDetail } from '#contract/runs.ts'
import { modelCallListOptions } from '#src/api/model-calls.ts'
import { counted } from '#src/format/numbers.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { Section } from '#src/ui/Section.tsx'
import classes from './ModelCalls.module.css'
import { modelCallColumns } from './model-call-columns.tsx'
import { ModelTimeline } from './ModelTimeline.tsx'
import { ModelUseTable } from './ModelUseTable.tsx'

type Props = { run: RunDetail; isLive: boolean; runSeenAt: number }

/** What the run asked of its model, as the model gateway saw it. */
export function ModelCallsView({ run, ...liveness }: Props) {
  const { data, error, refetch } = useQuery(modelCallListOptions(run.id, liveness))
  const attempt = Math.max(0, ...(data ?? []).map((call) => call.attempt))
  const calls = data?.filter((call) => call.attempt === attempt)
  const earlier = (data?.length ?? 0) - (calls?.length ?? 0)
  return (
    <>
      {run.modelUse && <ModelUseTable use={run.modelUse} spendKind={run.spendKind} />}
      <Section title="Calls">
        {calls && calls.length > 0 && <ModelTimeline calls={calls} />}
        <DataTable
          label="model calls"
          columns={modelCallColumns}
          rows={calls}
          rowId={({ seq }) => String(seq)}
          error={error}
          onRetry={() => void refetch()}
          empty={{
            title: liveness.isLive ? 'No model calls yet' : 'No model calls',
            hint: liveness.isLive
              ? 'Calls through the model gateway appear here.'
              : 'The agent made no call through the model gateway.',
          }}
        />
        {earlier > 0 && (
          <p className={classes.earlier}>Earlier attempts of this run made {counted(earlier, 'more call')}.</p>
        )}
      </Section>
    </>
  )
}
