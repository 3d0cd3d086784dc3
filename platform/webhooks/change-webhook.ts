import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/webhooks.ts'
import { audited } from '#platform/audit/audited.ts'
import type { Context } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { keyOf, noSuchWebhook, requireUrl, showWebhook, shownUrlOf } from './require-webhook.ts'
import { openSending, sealSending } from './seal.ts'
import { newSecret } from './sign.ts'
import { changeRow, lockWebhook } from './store.ts'

type Change = VerbInput<typeof contract.updateWebhook>
type Locked = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

/**
 * PATCH /webhooks/{id}. Waiting deliveries are sent to a new URL. Resuming sends them at once.
 */
export function updateWebhook(context: Context, { webhookId, ...change }: Change): Promise<contract.Webhook> {
  const key = keyOf(context, webhookId)
  const url = change.url === undefined ? undefined : requireUrl(context, change.url)
  return audited(context, async (tx, record) => {
    const row = await lockWebhook(tx, key)
    if (!row) throw noSuchWebhook()
    const { name, types, isPaused } = change
    const set = {
      ...(name !== undefined && { name }),
      ...(types !== undefined && { types }),
      ...(url !== undefined && moveTo(context, row, url)),
      ...(isPaused !== undefined && isPaused !== (row.stopReason !== null) && (await pauseOrResume(tx, isPaused))),
    }
    if (Object.keys(set).length > 0) {
      await changeRow(tx, key, set)
      const details = {
        name: name ?? row.name,
        ...(url !== undefined && { url: shownUrlOf(url, row.kind) }),
        ...(types !== undefined && { types: types?.join(', ') ?? 'all' }),
        ...(isPaused !== undefined && { isPaused }),
      }
      record({ event: 'webhook.change', organizationId: key.organizationId, subject: webhookId, details })
    }
    return showWebhook(tx, key)
  })
}

/** The secret stays. If it can no longer be decrypted, the webhook needs a new one first. */
function moveTo({ keys }: Context, row: Locked, url: string) {
  const { secret, oldSecret } = requireSending({ keys }, row)
  return { ...sealSending(keys, row.id, { url, secret, oldSecret }), shownUrl: shownUrlOf(url, row.kind) }
}

const pauseOrResume = async (tx: Database, isPaused: boolean) => {
  const now = await clockNow(tx)
  return isPaused
    ? ({ stopReason: 'paused', stoppedAt: now } as const)
    : { stopReason: null, failures: 0, failingSince: null, nextTryAt: now }
}

/** POST /webhooks/{id}/rotate. The old secret signs too until the overlap ends. */
export function rotateWebhookSecret(
  context: Context,
  { webhookId, overlapHours }: VerbInput<typeof contract.rotateWebhookSecret>,
): Promise<contract.NewWebhook> {
  const key = keyOf(context, webhookId)
  const secret = newSecret()
  return audited(context, async (tx, record) => {
    const row = await lockWebhook(tx, key)
    if (!row) throw noSuchWebhook()
    const { url, secret: oldSecret } = requireSending(context, row)
    await changeRow(tx, key, {
      ...sealSending(context.keys, row.id, { url, secret, ...(overlapHours > 0 && { oldSecret }) }),
      overlapEndsAt: overlapHours > 0 ? await inHours(tx, overlapHours) : null,
    })
    const details = { name: row.name, overlapHours }
    record({ event: 'webhook.rotate', organizationId: key.organizationId, subject: webhookId, details })
    return { webhook: await showWebhook(tx, key), secret }
  })
}

function requireSending({ keys }: Pick<Context, 'keys'>, row: Locked) {
  const sending = openSending(keys, row.id, row)
  if (!sending)
    throw preconditionFailed(
      'This installation no longer has the key that encrypted the webhook. Delete the webhook and add it again',
    )
  return sending
}

async function inHours(tx: Database, hours: number) {
  const now = await clockNow(tx)
  return new Date(Date.parse(now) + hours * 3_600_000).toISOString().replace('Z', '000Z')
}
