import { organizationPath } from '#contract/organization-path.ts'
import { readNotification } from '#contract/notification-types.ts'
import { type NotificationWords, wordsOfNotification } from '#contract/notification-words.ts'
import type { WebhookKind } from '#contract/webhooks.ts'
import type { DeliveredEvent } from '#platform/ground/database/tables/webhooks.ts'

type Told = {
  kind: WebhookKind
  eventId: string
  type: string
  event: DeliveredEvent
  organization: { id: string; slug: string }
  publicUrl: string
}

/** The type of a test, which is not a notification. */
export const testType = 'webhook.test'

/** The body of a delivery. It is the same for every attempt. */
export function composeBody(told: Told): string {
  const words = wordsOf(told)
  const path = words.path ?? '/notifications'
  const link = told.publicUrl + organizationPath(told.organization.slug, path)
  return JSON.stringify(told.kind === 'slack' ? slackMessage(words, link) : signedEvent(told, words, link))
}

function wordsOf({ type, event }: Told): NotificationWords {
  if (type === testType)
    return { text: 'This is a test from Assay', detail: 'The address works.', path: '/settings/webhooks' }
  const known = readNotification({ type, payload: event.payload })
  if (!known) return { text: type }
  const about = { subjectId: event.subject.id, actor: event.actor?.name ?? 'Someone', to: 'channel' } as const
  return wordsOfNotification(known, about)
}

/** Email addresses of people stay here. */
function signedEvent({ eventId, type, event, organization }: Told, { text, detail }: NotificationWords, link: string) {
  const { occurredAt, actor, subject, payload } = event
  return {
    type,
    timestamp: occurredAt,
    data: {
      id: eventId,
      organization: { id: organization.id, slug: organization.slug },
      actor: actor && { id: actor.id, name: actor.name },
      subject: { type: subject.type, id: subject.id },
      text,
      ...(detail && { detail }),
      link,
      payload,
    },
  }
}

/** Below Slack's limit of a section. */
const maxText = 1000

/** Without half of a character at the end, which is no valid JSON for some receivers. */
const cut = (text: string) => text.slice(0, maxText).toWellFormed()

/** Slack's escapes: without them text could mention a channel, or show another link than the one that it opens. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** In chats like Slack, `@channel` mentions everyone and `[text](address)` is a link; an invisible space prevents both. */
const withoutMarks = (text: string) => text.replaceAll('@', '@\u200b').replaceAll('](', ']\u200b(')

/** The blocks show people's words as plain text. Chats without blocks show `text`. */
function slackMessage({ text, detail }: NotificationWords, link: string) {
  const plain = (content: string) => ({ type: 'plain_text', text: cut(content), emoji: false })
  return {
    text: `${escapeSlack(withoutMarks(cut(text)))} – ${escapeSlack(link)}`,
    blocks: [
      { type: 'section', text: plain(text) },
      ...(detail ? [{ type: 'context', elements: [plain(detail)] }] : []),
      { type: 'context', elements: [{ type: 'mrkdwn', text: `<${escapeSlack(link)}|Open in Assay>` }] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}
