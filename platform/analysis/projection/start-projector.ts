import { type ProjectionServices, projectRunsUnlessBusy } from './project-runs.ts'
import { reindexOutdated } from './reindex.ts'
import { findOrganizationsToProject } from './store.ts'

export type Projector = {
  /** Projects now instead of at the next interval. */
  wake: () => void
  /** Resolves when the current batch is done. */
  stop: () => Promise<void>
}

export type ProjectorOptions = { intervalMilliseconds?: number; onError?: (error: unknown) => void }

/** The rows of a version can be deleted while the platform runs and the folder around them stays. */
const outdatedCheckMilliseconds = 60_000

/**
 * Feeds the engine from the outbox while the platform runs: when woken, and every second, so that it also finds runs
 * ended by a worker in another process. Rows of an older schema are rewritten first. Failed work is retried later.
 */
export function startProjector(
  services: ProjectionServices,
  {
    intervalMilliseconds = 1000,
    onError = (error) => console.error('projection failed:', error),
  }: ProjectorOptions = {},
): Projector {
  const stopping = new AbortController()
  let isAwake = false
  let wakeUp = () => {}

  async function projectAll() {
    for (const organizationId of await findOrganizationsToProject(services.db)) {
      if (stopping.signal.aborted) return
      await projectRunsUnlessBusy(services, organizationId).catch(onError)
    }
  }

  const nap = () =>
    new Promise<void>((resolve) => {
      if (isAwake || stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, intervalMilliseconds)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function loop() {
    let checkAt = 0
    while (!stopping.signal.aborted) {
      isAwake = false
      if (Date.now() >= checkAt) {
        const isCurrent = await reindexOutdated(services, onError).catch((error: unknown) => {
          onError(error)
          return false
        })
        if (isCurrent) checkAt = Date.now() + outdatedCheckMilliseconds
      }
      await projectAll().catch(onError)
      await nap()
    }
  }

  const finished = loop()
  const wake = () => {
    isAwake = true
    wakeUp()
  }
  return {
    wake,
    stop() {
      stopping.abort()
      wake()
      return finished
    },
  }
}
