import { randomUUID } from 'node:crypto'

import type { Services } from '#platform/ground/context/context.ts'
import { keepSending, startSome } from '#platform/ground/loops/keep-sending.ts'
import { deliverMail, type Delivering } from './deliver-mail.ts'
import { hasPeople, takeLease } from './lease-store.ts'

/** The people that one server sends to at once. */
const atOnce = 4

/** Starts what is due, and returns the work. It takes no more people than fit beside the work in progress. */
export async function sendDueMail(
  services: Delivering,
  { room = atOnce, isStopping = () => false }: { room?: number; isStopping?: () => boolean } = {},
): Promise<Promise<void>[]> {
  if (room <= 0 || !(await hasPeople(services.db))) return []
  return startSome(room, async () => {
    const lease = isStopping() ? null : await takeLease(services.db, randomUUID())
    return lease && (() => deliverMail(services, lease, isStopping))
  })
}

/**
 * Sends email while the platform runs, if the operator has set up a server. Any number of servers may do it. Returns a
 * stop function, which resolves after the emails in flight.
 */
export function startMailSender({ mailer, ...services }: Services) {
  if (!mailer) return async () => {}
  return keepSending({ atOnce, what: 'email', sendDue: (choice) => sendDueMail({ ...services, mailer }, choice) })
}
