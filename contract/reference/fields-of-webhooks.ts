import type { FieldTexts } from './reference-text.ts'

const url = 'https://ci.lab.example/assay'
const types = ['run_request.finished', 'report.mentioned']

/** Fields of webhooks, their deliveries and attempts. */
export const webhookFields: FieldTexts = {
  webhooks: ['The webhooks, oldest first.'],
  webhook: ['The webhook.'],
  secret: ['The signing secret. It is shown only here.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  'Webhook.name': ['The name people see.', 'Nightly build'],
  'Webhook.kind': ['What is sent.'],
  'Webhook.url': [
    'The origin of the URL and the beginning of its path; the rest may be secret.',
    'https://ci.lab.example/assa…',
  ],
  'Webhook.types': ['The types of notifications that are sent. Absent for every type.', types],
  'Webhook.stopReason': ['Why nothing is sent. Absent while it works.'],
  'Webhook.stoppedAt': ['Since when nothing is sent.', '2026-03-02T08:30:00.000000Z'],
  failures: ['Failed attempts since the last success.', 0],
  failingSince: ['When the first of these failures was.', '2026-03-02T08:30:00.000000Z'],
  nextTryAt: ['When the next attempt is due, after a failure.', '2026-03-02T08:35:00.000000Z'],
  waiting: ['The number of deliveries that wait.', 0],
  overlapEndsAt: ['Until when requests are also signed with the old secrets.', '2026-03-03T08:30:00.000000Z'],
  'WebhooksCreateRequest.name': ['The name people see.', 'Nightly build'],
  'WebhooksCreateRequest.kind': ['What is sent. The default is `webhook`.'],
  'WebhooksCreateRequest.url': ['The address. It must start with `https://`.', url],
  'WebhooksCreateRequest.types': ['The types of notifications to send. Every type if omitted.', types],
  'WebhooksUpdateRequest.name': ['The new name.', 'Nightly build'],
  'WebhooksUpdateRequest.url': ['The new address.', url],
  'WebhooksUpdateRequest.types': ['The types of notifications to send; null for every type.', types],
  isPaused: ['Whether to pause or to resume.', true],
  'WebhooksRotateRequest.overlapHours': [
    'How long requests are also signed with the old secret; 0 ends it at once.',
    24,
  ],
  deliveries: ['The deliveries, newest first.'],
  'WebhookDelivery.id': ['The id, which each attempt sends as `webhook-id`.', '019a1f2c-8f60-7000-8000-0000000000b7'],
  'WebhookDelivery.type': ['The type of the notification.', 'report.mentioned'],
  isTest: ['Whether it is a test.', false],
  'WebhookDelivery.state': ['Whether it was delivered. `failed`: the receiver refused it for good, or a test failed.'],
  deliveredAt: ['When the receiver accepted it.', '2026-03-01T12:00:01.000000Z'],
  'WebhookDelivery.attempts': ['The number of attempts.', 1],
  lastStatus: ['The HTTP status of the last attempt.', 200],
  delivery: ['The delivery.'],
  'WebhookDeliveryDetail.body': ['The body as it is sent.', '{"type":"webhook.test"}'],
  'WebhookDeliveryDetail.attempts': ['The newest 50 attempts, newest first.'],
  'WebhookAttempt.durationMs': ['How long it took, in milliseconds.', 120],
  'WebhookAttempt.status': ['The HTTP status. Absent without an answer.', 200],
  fault: ['Why the attempt failed. Absent after a success.', 'It answered 503'],
  'WebhookAttempt.response': ['The beginning of the answer.', 'ok'],
}
