import type { Analytics } from './analytics.ts'

const queues = new WeakMap<Analytics, Map<string, Promise<unknown>>>()

/** Runs one piece of writing work after another per engine and organization, within this process. */
export function oneAtATime<T>(analytics: Analytics, organizationId: string, work: () => Promise<T>): Promise<T> {
  const ofEngine = queues.get(analytics) ?? new Map<string, Promise<unknown>>()
  queues.set(analytics, ofEngine)
  const result = (ofEngine.get(organizationId) ?? Promise.resolve()).then(work)
  ofEngine.set(
    organizationId,
    result.catch(() => {}),
  )
  return result
}
