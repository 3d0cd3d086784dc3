import type { VerbInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/webhooks.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { keyOf, noSuchWebhook, requireUrl, showWebhook, shownUrlOf } from './require-webhook.ts'
import { oldSecretsOf, openSending, sealSending, type Sending } from './seal.ts'
import { newSecret } from './sign.ts'
import { changeRow, lockWebhook } from './store.ts'

type Change = VerbInput<typeof contract.updateWebhook>
type Locked = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

/** PATCH /webhooks/{id}. After a new URL, and after resuming, waiting deliveries are sent at once. */
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
      ...(url !== undefined && (await moveTo(context, tx, { row, url }))),
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

/** The secrets stay. If they can no longer be decrypted, the webhook needs a new one first. */
async function moveTo({ keys }: Context, tx: Database, { row, url }: { row: Locked; url: string }) {
  const sealed = sealSending(keys, row.id, { ...requireSending({ keys }, row), url })
  return { ...sealed, shownUrl: shownUrlOf(url, row.kind), ...asNew(await clockNow(tx)) }
}

/** Failures until now do not count. */
const asNew = (now: string) => ({ failures: 0, failingSince: null, nextTryAt: now })

const pauseOrResume = async (tx: Database, isPaused: boolean) => {
  const now = await clockNow(tx)
  return isPaused ? ({ stopReason: 'paused', stoppedAt: now } as const) : { stopReason: null, ...asNew(now) }
}

/**
 * POST /webhooks/{id}/rotate. The old secrets sign too until the latest overlap ends. Without an overlap none does, because
 * then they may be known to others.
 */
export function rotateWebhookSecret(
  context: Context,
  { webhookId, overlapHours }: VerbInput<typeof contract.rotateWebhookSecret>,
): Promise<contract.NewWebhook> {
  const key = keyOf(context, webhookId)
  const secret = newSecret()
  return audited(context, async (tx, record) => {
    const row = await lockWebhook(tx, key)
    if (!row) throw noSuchWebhook()
    const old = requireSending(context, row)
    const now = await clockNow(tx)
    const kept = overlapHours > 0 ? { oldSecret: old.secret, olderSecrets: overlappingSecrets(row, old, now) } : {}
    await changeRow(tx, key, {
      ...sealSending(context.keys, row.id, { url: old.url, secret, ...kept }),
      overlapEndsAt: overlapHours > 0 ? latestOf(inHours(now, overlapHours), row.overlapEndsAt) : null,
    })
    const details = { name: row.name, overlapHours }
    record({ event: 'webhook.rotate', organizationId: key.organizationId, subject: webhookId, details })
    return { webhook: await showWebhook(tx, key), secret }
  })
}

/** So many secrets before the old one sign during an overlap: each adds a signature to every request. */
const maxOlderSecrets = 5

const overlappingSecrets = ({ overlapEndsAt }: Locked, sending: Sending, now: string) =>
  overlapEndsAt !== null && overlapEndsAt > now ? oldSecretsOf(sending).slice(0, maxOlderSecrets) : []

const latestOf = (end: string, other: string | null) => (other !== null && other > end ? other : end)

function requireSending({ keys }: Pick<Context, 'keys'>, row: Locked) {
  const sending = openSending(keys, row.id, row)
  if (!sending)
    throw preconditionFailed(
      'This installation no longer has the key that encrypted the webhook. Delete the webhook and add it again',
    )
  return sending
}

const inHours = (now: string, hours: number) =>
  new Date(Date.parse(now) + hours * 3_600_000).toISOString().replace('Z', '000Z')
