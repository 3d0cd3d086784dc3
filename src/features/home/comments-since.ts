import type { NotificationFeed } from '#contract/notifications.ts'

const types = new Set(['report.commented', 'report.mentioned'])

/** How many comments Home lists; the page of notifications has all. */
const most = 5

/** Comments on the reader's reports and threads, and those that mention them, since a moment. Newest first. */
export const commentsSince = (feed: NotificationFeed | undefined, since: string) =>
  (feed?.entries ?? [])
    .filter(({ type, occurred_at }) => types.has(type) && Date.parse(occurred_at) > Date.parse(since))
    .slice(0, most)
