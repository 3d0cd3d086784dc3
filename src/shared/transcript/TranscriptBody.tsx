import { Button, Skeleton } from '@mantine/core'

import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { describeEmptiness } from './describe-emptiness.ts'
import { Outline } from './Outline.tsx'
import { TranscriptList } from './TranscriptList.tsx'
import classes from './TranscriptPane.module.css'
import { TranscriptRun } from './transcript-run.ts'
import { UnknownNotice } from './UnknownNotice.tsx'
import type { Find } from './use-find.ts'
import type { TranscriptState } from './use-transcript.ts'

type Props = {
  transcript: TranscriptState
  find: Find
  /** The run executed elsewhere. */
  isImported: boolean
  /** Why the transcript was removed. */
  removed?: string | undefined
  stderrIsAbove?: boolean
}

/** The transcript, or the reason there is none. */
export function TranscriptBody({ transcript: { runId, query, turns, pairs, isLive }, find, ...why }: Props) {
  const url = useQueryState()
  const { data, error, isFetching } = query
  const isEmpty = data !== undefined && data.turns.length === 0
  return (
    <>
      {error && (
        <ErrorNotice title="The transcript could not be loaded" error={error} onRetry={() => void query.refetch()} />
      )}
      {!data && !error && <Skeleton height={160} m="xs" />}
      {data?.unknownLines && <UnknownNotice lines={data.unknownLines} />}
      {isEmpty && <EmptyState {...describeEmptiness({ isAvailable: data.isAvailable, isLive, ...why })} />}
      {!isEmpty && data && turns.length === 0 && (
        <EmptyState title="No matching turns" hint="Try other roles or kinds." />
      )}
      {turns.length > 0 && (
        <div className={classes.body}>
          {url.one('outline') === '1' && <Outline turns={turns} pairs={pairs} />}
          <TranscriptRun value={runId}>
            <TranscriptList turns={turns} pairs={pairs} find={find} isLive={isLive} isWhole={data?.hasMore === false} />
          </TranscriptRun>
        </div>
      )}
      {data?.hasMore && !isFetching && (
        <Button variant="subtle" flex="none" onClick={() => void query.refetch()}>
          Load more turns
        </Button>
      )}
    </>
  )
}
