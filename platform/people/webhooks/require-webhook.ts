import type { WebhookKind } from '#contract/webhooks.ts'
import type { Webhook } from '#contract/webhooks.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalidFields, notFound } from '#platform/ground/failures/failure.ts'
import { countWaiting, findWebhook, type WebhookKey } from './store.ts'
import { toWebhook } from './to-webhook.ts'

/** The same for a webhook that does not exist and for one of another organization. */
export const noSuchWebhook = () => notFound('There is no such webhook in this organization')

export const noSuchDelivery = () => notFound('There is no such delivery of this webhook')

export function keyOf({ organization }: Pick<Context, 'organization'>, webhookId: string): WebhookKey {
  if (!isUuidText(webhookId)) throw noSuchWebhook()
  return { organizationId: organization.id, webhookId }
}

export async function requireWebhook(db: Database, key: WebhookKey) {
  const row = await findWebhook(db, key)
  if (!row) throw noSuchWebhook()
  return row
}

/** As the API shows it. */
export async function showWebhook(db: Database, key: WebhookKey): Promise<Webhook> {
  const row = await requireWebhook(db, key)
  const waiting = await countWaiting(db, [key.webhookId])
  return toWebhook(row, waiting.get(key.webhookId) ?? 0)
}

/** Throws `invalid_argument` for a URL to which nothing may be sent. */
export function requireUrl({ webhookClient }: Pick<Context, 'webhookClient'>, text: string) {
  const fault = webhookClient.faultOf(text)
  if (fault !== null) throw invalidFields([{ path: ['url'], message: fault }])
  return new URL(text).href.replace(/#.*$/, '')
}

/** Longer paths are shown only in part, because receivers such as workflow tools have their secret there. */
const maxShownPath = 5

/** The URL without its query and the rest of a long path, and for a chat without its path: all are often secrets. */
export function shownUrlOf(href: string, kind: WebhookKind) {
  const { origin, pathname, search } = new URL(href)
  if (kind === 'slack') return `${origin}/…`
  if (pathname.length > maxShownPath) return `${origin}${pathname.slice(0, maxShownPath)}…`
  return origin + pathname + (search && '?…')
}
