import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { latestOptions, markAllRead, markRead } from '#src/api/notifications.ts'
import { EntryList } from '#src/shared/notification-entries/EntryList.tsx'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import classes from './notifications.module.css'

type Props = { hasUnread: boolean; onClose: () => void }

/** The latest entries of the feed for the popover. */
export function LatestNotifications({ hasUnread, onClose }: Props) {
  const { data, error, refetch } = useQuery(latestOptions())
  const reading = useMutation({ mutationFn: markRead })
  const readingAll = useMutation({ mutationFn: markAllRead })
  const failure = reading.error ?? readingAll.error
  return (
    <section aria-label="Latest notifications" className={classes.bell}>
      <header className={classes.bellHead}>
        <h2 className={classes.bellTitle}>Notifications</h2>
        {hasUnread && (
          <Button size="compact-xs" variant="subtle" loading={readingAll.isPending} onClick={() => readingAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </header>
      <div className={classes.bellList}>
        {failure && <ErrorNotice title="Couldn’t mark as read" error={failure} />}
        {error && !data && (
          <ErrorNotice title="Notifications could not be loaded" error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <LoadingArea label="Loading notifications" height={160} />}
        {data?.entries.length === 0 && (
          <EmptyState title="No notifications yet" hint="Finished runs and colleagues’ changes appear here." />
        )}
        {data && data.entries.length > 0 && (
          <EntryList label="Latest notifications" entries={data.entries} onRead={reading.mutate} onOpen={onClose} />
        )}
      </div>
      <footer className={classes.bellFoot}>
        <Link to={paths.notifications()} onClick={onClose} className={classes.all}>
          All notifications
        </Link>
      </footer>
    </section>
  )
}
