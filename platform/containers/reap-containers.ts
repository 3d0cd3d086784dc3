import { Listed } from '#platform/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { EngineError } from '#platform/containers/engine/engine-error.ts'
import { isAbandoned, readLabels, workRootLabel } from './container-labels.ts'

type Installation = { workRoot: string; isWorkerAlive: (workFolder: string) => boolean }

/** Removes the containers that killed workers left, and returns how many. */
export async function reapContainers(engine: EngineClient, installation: Installation): Promise<number> {
  const filters = JSON.stringify({ label: [workRootLabel] })
  const found = await engine.ask({ method: 'GET', path: '/containers/json', query: { all: 'true', filters } }, Listed)
  const now = new Date()
  const abandoned = found.filter(({ Labels }) => isAbandoned(readLabels(Labels ?? {}), { ...installation, now }))
  for (const { Id } of abandoned) await removeContainer(engine, Id)
  return abandoned.length
}

/** Ends every process of a container and removes it with its files. */
export async function removeContainer(engine: EngineClient, id: string) {
  try {
    await engine.send({ method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' } })
  } catch (error) {
    // It is already gone, or its own end removes it now.
    if (!(error instanceof EngineError && (error.status === 404 || error.status === 409))) throw error
  }
}
