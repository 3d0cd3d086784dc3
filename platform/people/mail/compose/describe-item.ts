import { nameOfNotificationType } from '#contract/notification-choices.ts'
import { type KnownNotification, readNotification } from '#contract/notification-types.ts'
import { type NotificationWords, wordsOfNotification } from '#contract/notification-words.ts'
import { organizationPath } from '#contract/organization-path.ts'
import { plainLine, withoutLinks } from './plain-line.ts'

/** A notification in an email. `slug` is that of its organization; null for an announcement to everyone. */
export type EmailItem = {
  readerId: string
  type: string
  actor: { name: string } | null
  subjectId: string
  payload: Record<string, unknown>
  slug: string | null
}

export type ItemWords = { text: string; detail?: string | undefined; link: string; group: string }

const maxText = 200
const maxDetail = 1000

/** The text of a notification on one line, as a subject has it. */
export const titleOf = (item: EmailItem) => plainLine(wordsOf(item).text, maxText)

/**
 * The words of a notification, where it leads, and the heading under which a list has it. Only in the operator's words
 * can mail programs find links.
 */
export function describeItem(item: EmailItem, publicUrl: string): ItemWords {
  const { text, detail, path = '/notifications', group } = wordsOf(item)
  const shown = (words: string, max: number) =>
    item.type === 'platform.announced' ? plainLine(words, max) : withoutLinks(plainLine(words, max))
  return {
    text: shown(text, maxText),
    detail: detail && shown(detail, maxDetail),
    link: publicUrl + (item.slug === null ? path : organizationPath(item.slug, path)),
    group: shown(group, maxText),
  }
}

function wordsOf({ type, payload, subjectId, actor, readerId }: EmailItem): NotificationWords & { group: string } {
  const known = readNotification({ type, payload })
  if (!known) return { text: type, group: type }
  const about = { subjectId, actor: actor?.name ?? 'Someone', to: 'reader', readerId } as const
  return { ...wordsOfNotification(known, about), group: groupOf(known) }
}

/** The experiment or the report, or else what it is about. */
function groupOf({ type, payload }: KnownNotification): string {
  if ('experiment_name' in payload) return payload.experiment_name
  if (type.startsWith('report.') && 'title' in payload) return payload.title
  return nameOfNotificationType(type)
}
