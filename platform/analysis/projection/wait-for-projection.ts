import { setTimeout as sleep } from 'node:timers/promises'

import type { Services } from '#platform/ground/context/context.ts'
import { unavailable } from '#platform/ground/failures/failure.ts'
import { restoreLostRows } from './restore-lost-rows.ts'
import { countWaitingRuns, findNewestOutboxId, hasWaitingRuns, type WaitingScope } from './store.ts'

type WaitingServices = Pick<Services, 'db' | 'analytics' | 'blobs' | 'wakeProjector'>

const patienceMilliseconds = 2000

/** A projection of a few runs takes less. The pauses between checks grow. */
const firstPauseMilliseconds = 20
const maxPauseMilliseconds = 250

/**
 * Waits until the engine has every run of the scope that ended before the call, so that callers find all runs they know
 * to have ended. Returns how many runs are still missing after two seconds, or 0. Throws `unavailable` if the engine
 * has lost the organization's rows and does not know yet how many are missing.
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
    throw unavailable('Your organization’s analytics are being rebuilt; try again in a moment')
}
