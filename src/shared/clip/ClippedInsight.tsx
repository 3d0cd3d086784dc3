import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { citedInsightOptions } from '#src/api/cited-insights.ts'
import { FigureBody } from '#src/shared/insight-figures/FigureBody.tsx'
import { liveFigure } from '#src/shared/insight-figures/live-figure.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

/** A saved insight as a report would show it. */
export function ClippedInsight({ insight }: { insight: string }) {
  const { data, error, refetch } = useQuery(citedInsightOptions(insight))
  const live = useMemo(() => data && liveFigure(data), [data])
  if (error) return <ErrorNotice title="The insight could not be shown" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return live ? <FigureBody content={live.content} /> : <p role="note">This insight has no result.</p>
}
