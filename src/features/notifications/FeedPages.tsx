import type { NotificationEntry } from '#contract/notifications.ts'
import type { ShownList } from '#src/api/infinite-list.ts'
import { EntryList } from '#src/shared/notification-entries/EntryList.tsx'
import { type Empty, EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { LoadMore } from '#src/ui/LoadMore.tsx'
import classes from './notifications.module.css'

type Props = {
  feed: ShownList<NotificationEntry>
  empty: Empty
  onRead: (eventIds: string[]) => void
}

export function FeedPages({ feed, empty, onRead }: Props) {
  const { rows: entries, error, retry, more } = feed
  if (!entries) {
    if (error) return <ErrorNotice title="Notifications could not be loaded" error={error} onRetry={retry} />
    return <LoadingArea label="Loading notifications" height={240} />
  }
  if (entries.length === 0) return <EmptyState {...empty} />
  return (
    <>
      <div className={classes.feed}>
        <EntryList label="Notifications" entries={entries} onRead={onRead} />
      </div>
      {error && <ErrorNotice title="Older notifications could not be loaded" error={error} />}
      <LoadMore more={more} />
    </>
  )
}
