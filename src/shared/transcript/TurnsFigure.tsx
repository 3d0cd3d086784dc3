import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { excerptOptions } from '#src/api/transcripts.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RemovedNote } from './RemovedNote.tsx'
import type { TurnSize } from './transcript-view.ts'
import { TurnView } from './TurnView.tsx'

/** Turns of a run's transcript from one number to another, for a report. */
export function TurnsFigure({ runId, from, to }: { runId: string; from: number; to: number }) {
  const { data, error, refetch } = useQuery(excerptOptions(runId, { from, to }))
  if (error) return <ErrorNotice title="The turns could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={80} />
  if (data.length === 0)
    return <RemovedNote runId={runId} kind="transcripts" otherwise={`This run has no turn ${from}.`} />
  return data.map((turn) => <ExcerptTurn key={turn.seq} turn={turn} />)
}

function ExcerptTurn({ turn }: { turn: Turn }) {
  const [size, setSize] = useState<TurnSize>('open')
  return (
    <TurnView
      turn={turn}
      startedAt={null}
      size={size}
      onSize={(_, next) => setSize(next)}
      onFold={null}
      matches={[]}
      currentMatch={null}
      isRequested={false}
    />
  )
}
