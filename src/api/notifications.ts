import { type InfiniteData, type QueryKey } from '@tanstack/react-query'

import {
  listNotifications,
  type NotificationEntry,
  type NotificationFeed,
  readNotifications,
} from '#contract/notifications.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

const unreadInput = { unreadOnly: true, pageSize: limits.notifications.max }

/** The newest unread entries, at most one page. The badge shows their number. Polled every 30 seconds while the page is visible. */
export const unreadOptions = () => ({
  ...endpointOptions(listNotifications, unreadInput),
  staleTime: 10_000,
  // Adds jitter, so that many browsers opened at the same time don't poll together.
  refetchInterval: ({ state }: { state: { dataUpdatedAt: number; fetchFailureCount: number } }) =>
    30_000 * 2 ** Math.min(state.fetchFailureCount, 3) + (state.dataUpdatedAt % 5000),
})

const entriesOf = ({ entries }: NotificationFeed) => entries

/** `search`: words that an entry contains. */
type FeedFilter = { unreadOnly: boolean; search?: string }

/** The feed as of its first page, page by page. Nothing in it moves until it is reloaded. */
export const feedPagesOptions = ({ unreadOnly, search = '' }: FeedFilter) => {
  const input = { unreadOnly, ...(search !== '' && { search }), pageSize: limits.notifications.default }
  return infiniteListOptions({
    queryKey: [...endpointKey(listNotifications, input), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listNotifications, { ...input, cursor: pageParam }, signal),
    getNextPageParam: (last) => last.next_cursor,
    rowsOf: entriesOf,
    staleTime: Infinity,
  })
}

/** The feed from its newest entry on. */
export const resetFeed = (filter: FeedFilter) => queryClient.resetQueries(feedPagesOptions(filter))

export const latestOptions = () => ({ ...endpointOptions(listNotifications, { pageSize: 20 }), staleTime: 0 })

/** Marks any number of entries; entries already read don't change. */
export async function markRead(eventIds: readonly string[]) {
  for (let start = 0; start < eventIds.length; start += limits.markReadIds)
    await call(readNotifications, { eventIds: eventIds.slice(start, start + limits.markReadIds) })
  showAsRead(new Set(eventIds))
  await queryClient.invalidateQueries({ queryKey: endpointKey(listNotifications, unreadInput), exact: true })
}

/** Marks everything that is unread now; entries that arrive meanwhile stay unread. */
export async function markAllRead() {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: NotificationFeed = await call(listNotifications, { ...unreadInput, cursor })
    ids.push(...page.entries.map((entry) => entry.event_id))
    cursor = page.next_cursor
  }
  if (ids.length > 0) await markRead(ids)
}

/** Updates the entries on the page. An entry keeps its place, even in a list of unread entries. */
function showAsRead(eventIds: ReadonlySet<string>) {
  const readAt = new Date().toISOString()
  const asRead = (entry: NotificationEntry) =>
    eventIds.has(entry.event_id) ? { ...entry, read_at: entry.read_at ?? readAt } : entry
  const readFeed = (feed: NotificationFeed) => ({ ...feed, entries: feed.entries.map(asRead) })
  const inFeeds: QueryKey = endpointKey(listNotifications, {}).slice(0, 2)
  queryClient.setQueriesData<NotificationFeed | InfiniteData<NotificationFeed>>(
    { queryKey: inFeeds },
    (data) => data && ('pages' in data ? { ...data, pages: data.pages.map(readFeed) } : readFeed(data)),
  )
}
