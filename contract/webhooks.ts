import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { NotificationType } from './notification-types.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** `webhook` gets signed JSON, `slack` the messages that Slack and compatible chats take. */
export const WebhookKind = z.enum(['webhook', 'slack'])
export type WebhookKind = z.infer<typeof WebhookKind>

/** Why nothing is sent: a person paused it, it failed for days, it answered 410, or too many deliveries waited. */
export const WebhookStopReason = z.enum(['paused', 'failing', 'gone', 'full'])
export type WebhookStopReason = z.infer<typeof WebhookStopReason>

export const DeliveryState = z.enum(['waiting', 'delivered', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

const WebhookName = z.string().trim().min(1, 'must not be blank').max(100)
const WebhookUrl = z.string().trim().min(1, 'must not be blank').max(2000)
const Types = z
  .array(NotificationType)
  .min(1, 'must have at least one type')
  .max(100)
  .transform((types) => [...new Set(types)])

export const Webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: WebhookKind,
  /** Without the parts that may be secret. */
  url: z.string(),
  /** Absent for every type. */
  types: z.array(z.string()).optional(),
  createdBy: Actor,
  createdAt: Timestamp,
  stopReason: WebhookStopReason.optional(),
  stoppedAt: Timestamp.optional(),
  failures: z.int(),
  failingSince: Timestamp.optional(),
  nextTryAt: Timestamp.optional(),
  waiting: z.int(),
  overlapEndsAt: Timestamp.optional(),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookList = z.object({ webhooks: z.array(Webhook) })
export type WebhookList = z.infer<typeof WebhookList>

/** `secret` is shown only here. */
export const NewWebhook = z.object({ webhook: Webhook, secret: z.string() })
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookDelivery = z.object({
  id: z.uuid(),
  type: z.string(),
  isTest: z.boolean(),
  state: DeliveryState,
  createdAt: Timestamp,
  deliveredAt: Timestamp.optional(),
  attempts: z.int(),
  lastStatus: z.int().optional(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveryList = z.object({
  deliveries: z.array(WebhookDelivery),
  nextPageToken: z.string().optional(),
})
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>

/** `status` is absent if the address did not answer; `fault` says why an attempt failed. */
export const WebhookAttempt = z.object({
  at: Timestamp,
  durationMs: z.int(),
  status: z.int().optional(),
  fault: z.string().optional(),
  response: z.string(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** With the body that is sent, and the newest attempts first. */
export const WebhookDeliveryDetail = z.object({
  delivery: WebhookDelivery,
  body: z.string(),
  attempts: z.array(WebhookAttempt),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

const shared = {
  base: '/admin/v1',
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
} as const

export const listWebhooks = endpoint({
  ...shared,
  name: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'List the webhooks of the organization',
  response: WebhookList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

export const createWebhook = endpoint({
  ...shared,
  name: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  summary: 'Add a webhook',
  body: z.object({ name: WebhookName, kind: WebhookKind.default('webhook'), url: WebhookUrl, types: Types.optional() }),
  response: NewWebhook,
  status: 201,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'failed_precondition', 'resource_exhausted'],
})

export const updateWebhook = endpoint({
  ...shared,
  name: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/:webhookId',
  summary: 'Change, pause or resume a webhook',
  body: z.object({
    name: WebhookName.optional(),
    url: WebhookUrl.optional(),
    /** Null for every type. */
    types: Types.nullish(),
    isPaused: z.boolean().optional(),
  }),
  response: Webhook,
  errors: [...shared.errors, 'failed_precondition'],
})

export const deleteWebhook = endpoint({
  ...shared,
  name: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/:webhookId',
  summary: 'Delete a webhook with its deliveries',
  response: z.undefined(),
  status: 204,
})

export const rotateWebhookSecret = endpoint({
  ...shared,
  name: 'webhooks.rotate',
  method: 'POST',
  path: '/webhooks/:webhookId/rotate',
  summary: 'Replace the signing secret; old ones also sign until the overlap ends',
  body: z.object({ overlapHours: z.int().min(0).max(limits.overlapHours).default(24) }),
  response: NewWebhook,
  status: 201,
  errors: [...shared.errors, 'failed_precondition'],
})

export const testWebhook = endpoint({
  ...shared,
  name: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/:webhookId/test',
  summary: 'Send a test event now',
  response: WebhookDeliveryDetail,
  errors: [...shared.errors, 'failed_precondition', 'resource_exhausted'],
})

export const listDeliveries = endpoint({
  ...shared,
  name: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/:webhookId/deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  query: z.object({
    state: DeliveryState.optional(),
    pageSize: limitParam(limits.webhookDeliveries),
    pageToken: z.string().optional(),
  }),
  response: WebhookDeliveryList,
})

export const getDelivery = endpoint({
  ...shared,
  name: 'webhooks.delivery',
  method: 'GET',
  path: '/webhooks/:webhookId/deliveries/:deliveryId',
  summary: 'Get a delivery with its body and attempts',
  response: WebhookDeliveryDetail,
})

export const sendDeliveryAgain = endpoint({
  ...shared,
  name: 'webhooks.sendAgain',
  method: 'POST',
  path: '/webhooks/:webhookId/deliveries/:deliveryId/send',
  summary: 'Send a delivery again, or a waiting one without delay',
  response: WebhookDelivery,
  errors: [...shared.errors, 'failed_precondition'],
})
