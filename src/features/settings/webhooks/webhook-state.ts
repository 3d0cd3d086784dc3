import '#src/ui/status-marks.css'
import type { DeliveryState, Webhook } from '#contract/webhooks.ts'

type State = { label: string; tone?: 'failed' | 'waiting' }

/** What a webhook does now, in a few words. */
export function stateOf({ stopReason, failures, waiting }: Webhook): State {
  if (stopReason === 'paused') return { label: 'Paused' }
  if (stopReason === 'failing') return { label: 'Stopped after three days of failures', tone: 'failed' }
  if (stopReason === 'gone') return { label: 'Stopped: the address is gone', tone: 'failed' }
  if (stopReason === 'full') return { label: 'Stopped: too many deliveries waited', tone: 'failed' }
  if (failures > 0) return { label: `Failing, ${waiting.toLocaleString('en')} waiting`, tone: 'failed' }
  if (waiting > 0) return { label: `${waiting.toLocaleString('en')} waiting`, tone: 'waiting' }
  return { label: 'Working' }
}

export const deliveryLabels: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}
