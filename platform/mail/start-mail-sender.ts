import { randomUUID } from 'node:crypto'

import type { Services } from '#platform/context/context.ts'
import { keepSending } from '#platform/context/keep-sending.ts'
import { deliverMail, type Delivering } from './deliver-mail.ts'
import { hasPeople, takeLease } from './lease-store.ts'

/** The people that one server sends to at once. */
const atOnce = 4

/** Starts what is due, and returns the work. It takes no more people than fit beside the work in progress. */
export async function sendDueMail(
  services: Delivering,
  { room = atOnce, isStopping = () => false }: { room?: number; isStopping?: () => boolean } = {},
): Promise<Promise<void>[]> {
  const started: Promise<void>[] = []
  if (room <= 0 || !(await hasPeople(services.db))) return started
  while (started.length < room && !isStopping()) {
    const lease = await takeLease(services.db, randomUUID())
    if (!lease) break
    started.push(deliverMail(services, lease, isStopping))
  }
  return started
}

/**
 * Sends email while the platform runs, if the operator has set up a server. Any number of servers may do it. Returns a
 * stop function, which resolves after the emails in flight.
 */
export function startMailSender({ mailer, ...services }: Services) {
  if (!mailer) return async () => {}
  return keepSending({ atOnce, what: 'email', sendDue: (choice) => sendDueMail({ ...services, mailer }, choice) })
}
