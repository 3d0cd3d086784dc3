import { randomUUID } from 'node:crypto'

import type { Services } from '#platform/ground/context/context.ts'
import { keepSending, startSome } from '#platform/ground/loops/keep-sending.ts'
import { deliver } from './deliver.ts'
import { hasWaiting, takeLease } from './lease-store.ts'

/** The webhooks that one server sends to at once, and those of one organization, so that slow ones delay no other. */
const atOnce = 8
const atOncePerOrganization = 2

/** Starts what is due, and returns the work. It takes no more than fits beside the work in progress. */
export async function sendDue(
  services: Parameters<typeof deliver>[0],
  {
    room = atOnce,
    busy = new Map<string, number>(),
    isStopping,
  }: { room?: number; busy?: Map<string, number>; isStopping?: () => boolean } = {},
): Promise<Promise<void>[]> {
  const change = (organizationId: string, by: number) => busy.set(organizationId, (busy.get(organizationId) ?? 0) + by)
  if (room <= 0 || !(await hasWaiting(services.db))) return []
  return startSome(room, async () => {
    const full = [...busy].filter(([, count]) => count >= atOncePerOrganization).map(([id]) => id)
    const lease = isStopping?.() ? null : await takeLease(services.db, randomUUID(), full)
    if (!lease) return null
    return () => {
      change(lease.organizationId, 1)
      return deliver(services, lease, isStopping).finally(() => change(lease.organizationId, -1))
    }
  })
}

/**
 * Sends the deliveries of webhooks while the platform runs. Any number of servers may do it. Returns a stop function,
 * which resolves after the requests in flight.
 */
export function startWebhookSender(services: Services) {
  const busy = new Map<string, number>()
  return keepSending({ atOnce, what: 'webhooks', sendDue: (choice) => sendDue(services, { ...choice, busy }) })
}
