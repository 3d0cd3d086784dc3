import { setTimeout as sleep } from 'node:timers/promises'

import type { Services } from '#platform/context/context.ts'
import { unavailable } from '#platform/failures/failure.ts'
import { restoreLostRows } from './restore-lost-rows.ts'
import { countWaitingRuns, findNewestOutboxId, hasWaitingRuns, type WaitingScope } from './store.ts'

type WaitingServices = Pick<Services, 'db' | 'analytics' | 'blobs' | 'wakeProjector'>

const patienceMilliseconds = 2000

/** A projection of a few runs takes less; asked again more and more slowly. */
const firstPauseMilliseconds = 20
const maxPauseMilliseconds = 250

/**
 * Waits until the engine holds every run of the scope that had ended before the call, so that callers find what they have
 * seen ended. Gives how many runs are still missing after two seconds, and 0 when none is.
 * Throws `unavailable` when the engine has lost the organization's rows and cannot say yet how many it lacks.
 */
export async function waitForProjection(services: WaitingServices, scope: WaitingScope): Promise<number> {
  const { db } = services
  const end = Date.now() + patienceMilliseconds
  await restoreSoon(services, scope.organizationId)
  const newest = await findNewestOutboxId(db, scope.organizationId)
  if (newest === null || !(await hasWaitingRuns(db, scope, newest))) return 0
  services.wakeProjector()
  for (
    let pause = firstPauseMilliseconds;
    Date.now() + pause < end;
    pause = Math.min(pause * 2, maxPauseMilliseconds)
  ) {
    await sleep(pause)
    if (!(await hasWaitingRuns(db, scope, newest))) return 0
  }
  return countWaitingRuns(db, scope, newest)
}

async function restoreSoon(services: WaitingServices, organizationId: string) {
  if (!(await services.analytics.hasNoRows(organizationId))) return
  const restored = restoreLostRows(services, organizationId).then(() => true)
  const late = sleep(patienceMilliseconds, false, { ref: false })
  restored.catch(() => {})
  if (!(await Promise.race([restored, late])))
    throw unavailable('Analytics of your organization is being rebuilt; try again in a moment')
}
