import { Button, Skeleton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Presentation } from '#contract/insight-fields.ts'
import type { InsightView, SqlInsight } from '#contract/insights.ts'
import type { ResultTable } from '#contract/queries.ts'
import { limits } from '#contract/wire/limit.ts'
import { changeInsight, liveInsightOptions } from '#src/api/insights.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { ResultView } from '#src/features/insights/result/ResultView.tsx'
import mutedText from '#src/ui/muted-text.module.css'

/** The live result with as many rows as the public page shows; null until it has loaded. */
export function useLiveResult({ reference }: SqlInsight) {
  const live = useQuery(liveInsightOptions(reference, limits.publicationRows))
  const { asOf, pendingRuns = 0 } = live.data ?? {}
  return { ...live, table: live.data ? tableOf(live.data) : null, asOf, pendingRuns }
}

const tableOf = ({
  columns = [],
  rows = [],
  rowCount = 0,
  truncated = false,
  statistics,
}: InsightView): ResultTable => ({
  columns,
  rows,
  rowCount,
  truncated,
  ...(statistics && { statistics }),
})

/** The live result of a saved query. Everyone can try another chart; those who can edit the insight can save it. */
export function LiveResult({ insight }: { insight: SqlInsight }) {
  const { table, asOf, pendingRuns, error, isFetching, refetch } = useLiveResult(insight)
  const [tried, setTried] = useState<Presentation | null>(null)
  const keeping = useMutation({ mutationFn: changeInsight, onSuccess: () => setTried(null) })
  const presentation = tried ?? insight.presentation
  const isTried = tried !== null && JSON.stringify(tried) !== JSON.stringify(insight.presentation)
  return (
    <Section
      title="Result"
      aside={
        asOf && (
          <span className={mutedText.plain}>
            as of <RelativeTime at={asOf} />
          </span>
        )
      }
    >
      {error && <ErrorNotice title="Query failed" error={error} onRetry={() => void refetch()} />}
      {keeping.error && <ErrorNotice title="The chart was not saved" error={keeping.error} />}
      <PendingRuns count={pendingRuns} refresh={refetch} />
      {!table && !error && <Skeleton height={240} />}
      {table && !error && (
        <ResultView
          table={table}
          name={insight.slug}
          presentation={presentation}
          onPresentation={setTried}
          actions={
            <>
              <Button
                size="xs"
                variant="default"
                loading={isFetching}
                leftSection={<IconRefresh size={14} aria-hidden />}
                onClick={() => void refetch()}
              >
                Refresh
              </Button>
              {insight.canChange && isTried && (
                <Button
                  size="xs"
                  loading={keeping.isPending}
                  onClick={() => keeping.mutate({ ref: insight.reference, presentation: tried })}
                >
                  {tried.kind === 'table' ? 'Save as table' : 'Save this chart'}
                </Button>
              )}
            </>
          }
        />
      )}
    </Section>
  )
}
