import { nameOfNotificationType } from '#contract/notification-choices.ts'
import { type KnownNotification, readNotification } from '#contract/notification-types.ts'
import { wordsOfNotification } from '#contract/notification-words.ts'
import { organizationPath } from '#contract/organization-path.ts'
import { plainLine } from './plain-line.ts'

/** A notification in an email. `slug` is that of its organization; null for an announcement to everyone. */
export type ToldItem = {
  type: string
  actor: { name: string } | null
  subjectId: string
  payload: Record<string, unknown>
  slug: string | null
}

export type ItemWords = { text: string; detail?: string | undefined; link: string; group: string }

const maxText = 200
const maxDetail = 1000

/** The words of a notification on one line, where it leads, and the heading under which a list has it. */
export function describeItem({ type, actor, subjectId, payload, slug }: ToldItem, publicUrl: string): ItemWords {
  const known = readNotification({ type, payload })
  const about = { subjectId, actor: actor?.name ?? 'Someone', to: 'reader' } as const
  const { text, detail, path = '/notifications' } = known ? wordsOfNotification(known, about) : { text: type }
  return {
    text: plainLine(text, maxText),
    detail: detail && plainLine(detail, maxDetail),
    link: publicUrl + (slug === null ? path : organizationPath(slug, path)),
    group: plainLine(known ? groupOf(known) : type, maxText),
  }
}

/** The experiment or the report, or else what it is about. */
function groupOf({ type, payload }: KnownNotification): string {
  if ('experiment_name' in payload) return payload.experiment_name
  if (type.startsWith('report.') && 'title' in payload) return payload.title
  return nameOfNotificationType(type)
}
