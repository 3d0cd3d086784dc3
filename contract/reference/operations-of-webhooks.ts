/** Operations of webhooks, beyond their summaries. */
export const webhookOperations: Readonly<Record<string, string>> = {
  'webhooks.list': 'Oldest first. The part of a URL that may be a secret is not shown. Admins only.',
  'webhooks.create':
    'Every notification of the organization is sent to the URL in the order of the changes, signed as the Standard Webhooks specification says. The kind `slack` gets messages that Slack and compatible chats take. The URL must lead to a public address and start with `https`. The response has the signing secret, which is never shown again. Admins only.',
  'webhooks.update':
    'Changes only the fields you send. With `isPaused`, nothing is sent and new events are not kept; `false` resumes with the waiting deliveries, even after the webhook was stopped because it failed. Admins only.',
  'webhooks.delete':
    'Also deletes the waiting deliveries and the log. A request in flight may still arrive. Admins only.',
  'webhooks.rotate':
    'Requests are signed with both secrets until the overlap ends. The response has the new secret, which is never shown again. Admins only.',
  'webhooks.test':
    'Sends an event of the type `webhook.test` at once, without queueing it, and returns the answer of the receiver. Admins only.',
  'webhooks.deliveries': 'Deliveries are kept for 30 days. Admins only.',
  'webhooks.delivery': 'With the body as it is sent, and the newest 50 attempts. Admins only.',
  'webhooks.sendAgain':
    'The delivery keeps its id and goes to the end of the queue. One that still waits is tried without delay, with everything before it. Admins only.',
}

/** The ids in their paths. */
export const webhookPathParameters = {
  webhookId: ['The id of the webhook.', '019a1f2c-8f60-7000-8000-0000000000b6'],
  deliveryId: ['The id of the delivery.', '019a1f2c-8f60-7000-8000-0000000000b7'],
} as const
