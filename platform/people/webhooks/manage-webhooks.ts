import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/webhooks.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { exhausted } from '#platform/ground/failures/failure.ts'
import { keyOf, noSuchWebhook, requireUrl, showWebhook, shownUrlOf } from './require-webhook.ts'
import { sealSending } from './seal.ts'
import { newSecret } from './sign.ts'
import { countWaiting, countWebhooks, findWebhooks, insertWebhook, lockWebhook, removeWebhook } from './store.ts'
import { toWebhook } from './to-webhook.ts'

/** GET /webhooks. */
export async function listWebhooks({ db, organization }: Context): Promise<contract.WebhookList> {
  const rows = await findWebhooks(db, organization.id)
  const waiting = await countWaiting(
    db,
    rows.map(({ webhook }) => webhook.id),
  )
  return { webhooks: rows.map((row) => toWebhook(row, waiting.get(row.webhook.id) ?? 0)) }
}

/** POST /webhooks. The response is the only place that ever has the secret. */
export async function createWebhook(
  context: Context,
  { name, kind, url: sent, types }: VerbInput<typeof contract.createWebhook>,
): Promise<contract.NewWebhook> {
  const { caller, keys } = context
  const url = requireUrl(context, sent)
  const [id, secret, organizationId] = [newId(), newSecret(), context.organization.id]
  const sealed = sealSending(keys, id, { url, secret })
  const shownUrl = shownUrlOf(url, kind)
  return audited(context, async (tx, record) => {
    if ((await countWebhooks(tx, organizationId)) >= limits.webhooksPerOrganization)
      throw exhausted(`There are already ${limits.webhooksPerOrganization} webhooks. Delete one that is not needed`)
    const now = await clockNow(tx)
    const times = { createdAt: now, nextTryAt: now }
    const row = { id, organizationId, name, kind, shownUrl, types: types ?? null, ...sealed, ...times }
    await insertWebhook(tx, { ...row, createdBy: caller.recordedUnder })
    record({ event: 'webhook.create', organizationId, subject: id, details: { name, kind, url: shownUrl } })
    return { webhook: await showWebhook(tx, { organizationId, webhookId: id }), secret }
  })
}

/** DELETE /webhooks/{id}. A request in flight may still arrive. */
export async function deleteWebhook(
  context: Context,
  { webhookId }: VerbInput<typeof contract.deleteWebhook>,
): Promise<undefined> {
  const key = keyOf(context, webhookId)
  await audited(context, async (tx, record) => {
    const row = await lockWebhook(tx, key)
    if (!row) throw noSuchWebhook()
    await removeWebhook(tx, key)
    const details = { name: row.name, url: row.shownUrl }
    record({ event: 'webhook.delete', organizationId: key.organizationId, subject: webhookId, details })
  })
  return undefined
}
