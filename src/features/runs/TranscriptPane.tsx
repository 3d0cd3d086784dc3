import { Button, Skeleton } from '@mantine/core'
import { useRef } from 'react'

import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TranscriptHeader } from './TranscriptHeader.tsx'
import { TranscriptList } from './TranscriptList.tsx'
import classes from './TranscriptPane.module.css'
import { useFind } from './use-find.ts'
import { useTranscript } from './use-transcript.ts'

type Props = { runId: string; isLive: boolean; runSeenAt: number }

/** What the agent said and did. */
export function TranscriptPane({ runId, ...liveness }: Props) {
  const transcript = useTranscript(runId, liveness)
  const { query, turns } = transcript
  const firstVisible = useRef(0)
  const find = useFind(turns, () => firstVisible.current)
  const { data, error, isFetching } = query
  const isEmpty = data !== undefined && data.turns.length === 0
  return (
    <section className={classes.pane} aria-label="Transcript">
      <TranscriptHeader {...transcript} find={find} isLive={liveness.isLive} />
      {error && (
        <ErrorNotice title="The transcript could not be loaded" error={error} onRetry={() => void query.refetch()} />
      )}
      {!data && !error && <Skeleton height={160} m="xs" />}
      {isEmpty && <EmptyState {...emptiness(data.isAvailable, liveness.isLive)} />}
      {!isEmpty && data && turns.length === 0 && (
        <EmptyState title="No turn matches" hint="Other roles or kinds may show some." />
      )}
      {turns.length > 0 && (
        <TranscriptList
          turns={turns}
          find={find}
          isLive={liveness.isLive}
          onScrolled={(index) => {
            firstVisible.current = index
          }}
        />
      )}
      {data?.hasMore && !isFetching && (
        <Button variant="subtle" onClick={() => void query.refetch()}>
          Load more turns
        </Button>
      )}
    </section>
  )
}

function emptiness(isAvailable: boolean, isLive: boolean) {
  if (isLive) return { title: 'Nothing said yet', hint: 'Turns appear here as the agent writes them.' }
  if (!isAvailable)
    return { title: 'No transcript was published', hint: 'The run ended before the agent said anything that was kept.' }
  return { title: 'An empty conversation', hint: 'The agent finished without a word.' }
}
