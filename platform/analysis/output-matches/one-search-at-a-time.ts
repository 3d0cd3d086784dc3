import { createQueryQueue } from '#platform/analysis/analytics/query-queue.ts'

/** Seconds a search waits for the searches before it; each takes about three. */
const maxWaitSeconds = 25

const none = { maxWaiting: 0, maxWaitSeconds: 0, dueSeconds: 0 }

const queues = new Map<string, ReturnType<typeof createQueryQueue>>()

/** Searches of one organization run one after another, because each slice of runs uses its engine fully. */
export function oneSearchAtATime<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  const queue =
    queues.get(organizationId) ??
    createQueryQueue({ atOnce: 1, own: { maxWaiting: 8, maxWaitSeconds }, published: none })
  queues.set(organizationId, queue)
  return queue('own', work)
}
