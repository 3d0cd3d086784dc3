import { logFault } from '#server-kit/log-fault.ts'
import { type Loop, repeat } from '#platform/ground/loops/repeat.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { projectBatchUnlessBusy, type ProjectionServices } from './project-runs.ts'
import { emptyOutdated } from './reindex.ts'
import { findOrganizationsToProject } from './store.ts'

export type ProjectorOptions = { intervalMilliseconds?: number; onError?: (error: unknown) => void }

/** The rows of a version can be deleted while the platform runs and the folder around them stays. */
const outdatedCheckMilliseconds = 60_000

/** How many organizations are written at once: one with long transcripts or a busy engine holds up no other. */
const atOnce = 2

/**
 * Feeds the engine from the outbox while the platform runs: when woken, and every second, so that it also finds runs
 * ended by a worker in another process. Rows of an older schema are removed first, and then inserted like all others.
 * Failed work is retried later.
 */
export function startProjector(
  services: ProjectionServices,
  {
    intervalMilliseconds = 1000,
    onError = (error) => logFault('Analytics could not be brought up to date', error),
  }: ProjectorOptions = {},
): Loop {
  let checkAt = 0
  let hasLooked = false
  const empty = async () => {
    if (Date.now() < checkAt) return
    if (await emptyOutdated(services, onError)) checkAt = Date.now() + outdatedCheckMilliseconds
  }
  /** A batch of each organization in turn, so that none waits for the many runs of another. */
  const projectInTurn = async (stopping: AbortSignal) => {
    let hasMore = false
    for (const organizationId of await findOrganizationsToProject(services.db)) {
      if (stopping.aborted) break
      // Nothing while the other lane writes the organization.
      const project = () => projectBatchUnlessBusy(services, organizationId)
      if (await giveWay(services.db, project).catch(onError)) hasMore = true
    }
    return hasMore
  }
  const emptying = {
    run: () => empty().finally(() => (hasLooked = true)),
    fault: 'Analytics of an older schema could not be emptied',
  }
  const projecting = {
    // What is emptied after it got rows gets them again.
    run: async (stopping: AbortSignal) => hasLooked && projectInTurn(stopping),
    fault: 'Ended runs could not be added to the analytics',
  }
  const lanes = [[emptying, projecting], ...Array.from({ length: atOnce - 1 }, () => [projecting])].map((works) =>
    repeat({ firstMs: 0, everyMs: intervalMilliseconds, works, onFault: onError }),
  )
  return {
    wake: () => lanes.forEach(({ wake }) => wake()),
    stop: async () => {
      await Promise.all(lanes.map(({ stop }) => stop()))
    },
  }
}
