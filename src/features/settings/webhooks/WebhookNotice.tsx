import type { Webhook } from '#contract/webhooks.ts'
import { limits } from '#contract/wire/limit.ts'
import { exactTime } from '#src/format/dates.ts'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'

const stopTitles = {
  failing: 'Every attempt failed for three days.',
  gone: 'The receiver answered 410 Gone.',
  full: `More than ${limits.waitingPerWebhook.toLocaleString('en')} deliveries waited.`,
}

/** Why nothing arrives, if that is so. */
export function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const { stopReason, failures, failingSince, nextTryAt, waiting } = webhook
  const kept =
    waiting > 0 ? `${counted(waiting, 'delivery waits', 'deliveries wait')}, to be sent when you resume. ` : ''
  if (stopReason === 'paused') return <Notice title="Paused.">{kept}New events are not kept meanwhile.</Notice>
  if (stopReason) return <Notice title={stopTitles[stopReason]}>{kept}Nothing more is sent until you resume.</Notice>
  if (failures === 0 || !failingSince || !nextTryAt) return null
  return (
    <Notice title={`Failing since ${exactTime(failingSince)}.`}>
      {counted(failures, 'attempt')} failed. The next one is at {exactTime(nextTryAt)};{' '}
      {counted(waiting, 'delivery waits', 'deliveries wait')}.
    </Notice>
  )
}
