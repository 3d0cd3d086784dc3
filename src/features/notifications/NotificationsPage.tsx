import { Button, Switch } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { feedPagesOptions, markAllRead, markRead, resetFeed, unreadOptions } from '#src/api/notifications.ts'
import { PersonalKeyNeeded } from '#src/shared/notification-entries/PersonalKeyNeeded.tsx'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import { FeedPages } from './FeedPages.tsx'
import classes from './notifications.module.css'

/** The whole feed of the person that the key belongs to. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const isPerson = caller.keyKind === 'personal'
  return (
    <>
      <title>Notifications · Assay</title>
      <PageHeader
        title="Notifications"
        facts="Your notifications, kept for one year."
        actions={isPerson && <TextLink href={paths.settings('notifications')}>Notification settings</TextLink>}
      />
      {isPerson ? <Feed /> : <PersonalKeyNeeded />}
    </>
  )
}

function Feed() {
  const url = useQueryState()
  const unreadOnly = url.one('unread') !== ''
  const search = url.one('query')
  const feed = useInfiniteList(feedPagesOptions({ unreadOnly, search }), { keepPrevious: true })
  const { data: unread } = useQuery(unreadOptions())
  const reading = useMutation({ mutationFn: markRead })
  const readingAll = useMutation({ mutationFn: markAllRead })
  const entries = feed.rows
  const shownUnread = (entries ?? []).filter((entry) => entry.read_at === null).map((entry) => entry.event_id)
  const shown = new Set(entries?.map((entry) => entry.event_id))
  const oldest = entries?.at(-1)
  // A search does not say whether new entries match. Unread entries that belong above the end of the page but aren't on it arrived after it was loaded.
  const waiting = (unread?.entries ?? []).filter(
    (entry) =>
      entries &&
      search === '' &&
      !shown.has(entry.event_id) &&
      (!oldest || Date.parse(entry.occurred_at) > Date.parse(oldest.occurred_at)),
  ).length
  const failure = reading.error ?? readingAll.error
  return (
    <>
      <div className={classes.tools}>
        <span className={classes.filters}>
          <ListSearch label="Search notifications" value={search} onChange={(query) => url.set({ query })} />
          <Switch
            size="xs"
            label="Unread only"
            checked={unreadOnly}
            onChange={(event) => url.set({ unread: event.currentTarget.checked ? '1' : null })}
          />
        </span>
        <span className={formParts.verbs}>
          {shownUnread.length > 0 && (
            <Button variant="default" loading={reading.isPending} onClick={() => reading.mutate(shownUnread)}>
              Mark shown as read
            </Button>
          )}
          {unread && unread.entries.length > 0 && (
            <Button variant="default" loading={readingAll.isPending} onClick={() => readingAll.mutate()}>
              Mark all as read
            </Button>
          )}
        </span>
      </div>
      {failure && <ErrorNotice title="Couldn’t mark as read" error={failure} />}
      {waiting > 0 && (
        <Button fullWidth variant="light" className={classes.waiting} onClick={() => void resetFeed({ unreadOnly })}>
          {waiting} new
        </Button>
      )}
      <FeedPages feed={feed} empty={emptyFeed(unreadOnly, search)} onRead={reading.mutate} />
    </>
  )
}

function emptyFeed(unreadOnly: boolean, search: string) {
  if (search !== '') return { title: 'No notifications match this search' }
  return {
    title: unreadOnly ? 'All caught up' : 'No notifications yet',
    hint: 'Your finished runs, colleagues’ changes and decisions on your suggestions appear here.',
  }
}
