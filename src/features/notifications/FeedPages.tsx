import { Button, Skeleton } from '@mantine/core'

import type { NotificationEntry } from '#contract/notifications.ts'
import { EntryList } from '#src/notifications/EntryList.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice, type Failure } from '#src/ui/ErrorNotice.tsx'
import classes from './notifications.module.css'

type Props = {
  feed: {
    error: Failure | null
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
  entries: readonly NotificationEntry[] | undefined
  unreadOnly: boolean
  onRead: (eventIds: string[]) => void
}

export function FeedPages({ feed, entries, unreadOnly, onRead }: Props) {
  const { error, hasNextPage, isFetchingNextPage } = feed
  if (!entries) {
    if (error)
      return <ErrorNotice title="Notifications could not be loaded" error={error} onRetry={() => void feed.refetch()} />
    return <Skeleton height={240} aria-label="Loading notifications" />
  }
  if (entries.length === 0)
    return (
      <EmptyState
        title={unreadOnly ? 'Everything is read' : 'Nothing yet'}
        hint="Runs of yours that finish, colleagues’ changes and decisions on your suggestions appear here."
      />
    )
  return (
    <>
      <div className={classes.feed}>
        <EntryList label="Notifications" entries={entries} onRead={onRead} />
      </div>
      {error && <ErrorNotice title="Older notifications could not be loaded" error={error} />}
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  )
}
