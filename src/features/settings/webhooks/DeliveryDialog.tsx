import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'

import type { Webhook, WebhookAttempt, WebhookDeliveryDetail } from '#contract/webhooks.ts'
import { deliveryOptions, sendAgain } from '#src/api/webhooks.ts'
import { exactTime } from '#src/format/dates.ts'
import { nameOfType } from '#src/shared/notification-entries/type-names.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import cells from '#src/ui/table/cells.module.css'
import { deliveryLabels } from './webhook-state.ts'
import classes from './webhooks.module.css'

/** Open while the URL has `delivery`: what was sent, and what the receiver said. */
export function DeliveryDialog({ webhook }: { webhook: Webhook }) {
  const url = useQueryState()
  const id = url.one('delivery')
  if (id === '') return null
  return (
    <Dialog opened onClose={() => url.push({ delivery: null })} title="Delivery" size="lg">
      <OneDelivery webhook={webhook} id={id} />
    </Dialog>
  )
}

function OneDelivery({ webhook, id }: { webhook: Webhook; id: string }) {
  const { data, error, refetch } = useQuery(deliveryOptions(webhook.id, id))
  if (data) return <Shown webhook={webhook} {...data} />
  return error && <ErrorNotice title="The delivery could not be loaded" error={error} onRetry={() => void refetch()} />
}

function Shown({ webhook, delivery, body, attempts }: { webhook: Webhook } & WebhookDeliveryDetail) {
  const sending = useMutation({ mutationFn: () => sendAgain(webhook.id, delivery.id) })
  return (
    <div className={formParts.roomyForm}>
      <p className={mutedText.explanation}>
        {nameOfType(delivery.type)}, {exactTime(delivery.createdAt)}:{' '}
        <strong className={cells.state} data-tone={delivery.state === 'delivered' ? undefined : delivery.state}>
          {deliveryLabels[delivery.state].toLowerCase()}
        </strong>
      </p>
      <h3 className={classes.part}>Attempts</h3>
      {attempts.length === 0 ? (
        <p className={mutedText.explanation}>Not sent yet. Deliveries before it come first.</p>
      ) : (
        <ol className={classes.attempts}>
          {attempts.map((attempt) => (
            <Attempt key={attempt.at} {...attempt} />
          ))}
        </ol>
      )}
      <h3 className={classes.part}>Body</h3>
      <ScrollRegion label="Body" className={classes.scrolled}>
        <pre className={classes.code}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </ScrollRegion>
      {sending.error && <ErrorNotice title="It was not sent" error={sending.error} />}
      {!delivery.isTest && (
        <Button
          variant="default"
          className={formParts.verb}
          loading={sending.isPending}
          disabled={webhook.stopReason !== undefined}
          title={webhook.stopReason ? 'Resume the webhook first' : undefined}
          onClick={() => sending.mutate()}
        >
          {delivery.state === 'waiting' ? 'Try now' : 'Send again'}
        </Button>
      )}
    </div>
  )
}

function Attempt({ at, durationMs, status, fault, response }: WebhookAttempt) {
  return (
    <li className={classes.attempt}>
      <span className={cells.state} data-tone={fault ? 'failed' : undefined}>
        {fault ?? `It answered ${status}`}
      </span>
      <span className={mutedText.small}>
        {exactTime(at)}, {durationMs.toLocaleString('en')} ms
      </span>
      {response !== '' && (
        <ScrollRegion label="Answer" className={classes.scrolled}>
          <pre className={classes.code}>{response}</pre>
        </ScrollRegion>
      )}
    </li>
  )
}
