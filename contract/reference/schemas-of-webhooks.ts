import type { z } from 'zod'

import {
  DeliveryState,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookKind,
  WebhookList,
  WebhookStopReason,
} from '#contract/webhooks.ts'

/** The schemas of webhooks and their deliveries. */
export const webhookSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  DeliveryState: [
    DeliveryState,
    'The state of a delivery. It is `failed` if it is a test that failed, or if the receiver refused it for an hour.',
  ],
  NewWebhook: [NewWebhook, 'A webhook with its new secret.'],
  Webhook: [Webhook, 'An address that receives notifications.'],
  WebhookAttempt: [WebhookAttempt, 'One request to a webhook.'],
  WebhookDelivery: [WebhookDelivery, 'One event for one webhook.'],
  WebhookDeliveryDetail: [WebhookDeliveryDetail, 'A delivery with its body and attempts.'],
  WebhookDeliveryList: [WebhookDeliveryList, 'A page of deliveries.'],
  WebhookKind: [WebhookKind, '`webhook`: signed JSON. `slack`: messages for Slack and compatible chats.'],
  WebhookList: [WebhookList, 'The webhooks of the organization.'],
  WebhookStopReason: [
    WebhookStopReason,
    'Why nothing is sent: a person paused it, it failed for three days, it answered 410, or more than 10,000 deliveries waited.',
  ],
}
