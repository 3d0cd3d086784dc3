import { readNotification } from '#contract/notification-types.ts'
import { wordsOfNotification } from '#contract/notification-words.ts'
import type { NotificationEntry } from '#contract/notifications.ts'

/** The text of an entry. `href` links to its subject, if it has a page. */
export type EntryWords = { text: string; detail?: string | undefined; href?: string | undefined }

/** An unknown type is shown as its name and subject. */
export function describeEntry(entry: NotificationEntry, readerId: string): EntryWords {
  const known = readNotification(entry)
  if (!known) return { text: entry.type, detail: `${entry.subject.type} ${entry.subject.id}` }
  const about = { subjectId: entry.subject.id, actor: entry.actor?.name ?? 'Someone', to: 'reader', readerId } as const
  const { path, ...words } = wordsOfNotification(known, about)
  return { ...words, ...(path !== undefined && { href: path }) }
}
