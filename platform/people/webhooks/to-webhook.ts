import type { Webhook, WebhookAttempt, WebhookDelivery } from '#contract/webhooks.ts'
import type { AttemptRow, DeliveryRow } from './delivery-store.ts'
import type { WebhookRow } from './store.ts'

export function toWebhook({ webhook, creator }: WebhookRow, waiting: number): Webhook {
  const { id, name, kind, shownUrl, types, createdAt, stopReason, stoppedAt, failures, failingSince } = webhook
  return {
    id,
    name,
    kind,
    url: shownUrl,
    createdBy: creator,
    createdAt,
    failures,
    waiting,
    ...(types && { types }),
    ...(stopReason && { stopReason }),
    ...(stopReason && stoppedAt && { stoppedAt }),
    ...(failingSince && { failingSince }),
    ...(failures > 0 && !stopReason && { nextTryAt: webhook.nextTryAt }),
    ...(webhook.overlapEndsAt && { overlapEndsAt: webhook.overlapEndsAt }),
  }
}

type Summary = { attempts: number; lastStatus: number | null }

export function toDelivery(row: DeliveryRow, summary: Summary | undefined): WebhookDelivery {
  const { id, type, isTest, state, createdAt, deliveredAt } = row
  return {
    id,
    type,
    isTest,
    state,
    createdAt,
    attempts: summary?.attempts ?? 0,
    ...(deliveredAt && { deliveredAt }),
    ...(summary?.lastStatus && { lastStatus: summary.lastStatus }),
  }
}

export const toAttempt = ({ at, durationMs, status, fault, response }: AttemptRow): WebhookAttempt => ({
  at,
  durationMs,
  response,
  ...(status !== null && { status }),
  ...(fault !== null && { fault }),
})
