import { setTimeout as delay } from 'node:timers/promises'

import { Listed, ListedImages } from '#platform/engine/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { EngineError } from '#platform/engine/containers/engine/engine-error.ts'
import { isAbandoned, namePrefix, preparedName, readLabels, workRootLabel } from './container-labels.ts'

type Installation = { workRoot: string; isWorkerAlive: (workFolder: string) => boolean }

const filters = JSON.stringify({ label: [workRootLabel] })

/** Removes the containers and prepared images that killed workers left, and returns how many containers. */
export async function reapContainers(engine: EngineClient, installation: Installation): Promise<number> {
  const found = await engine.ask({ method: 'GET', path: '/containers/json', query: { all: 'true', filters } }, Listed)
  const now = new Date()
  const abandoned = found.filter(
    ({ Labels, Names }) =>
      Names?.some((name) => name.replace(/^\//, '').startsWith(namePrefix)) &&
      isAbandoned(readLabels(Labels ?? {}), { ...installation, now }),
  )
  for (const { Id } of abandoned) await removeContainer(engine, Id)
  await reapImages(engine, installation)
  return abandoned.length
}

async function reapImages(engine: EngineClient, { workRoot, isWorkerAlive }: Installation) {
  const found = await engine.ask({ method: 'GET', path: '/images/json', query: { filters } }, ListedImages)
  for (const { RepoTags, Labels } of found) {
    const owner = readLabels(Labels ?? {})
    if (owner === null || owner.workRoot !== workRoot || isWorkerAlive(owner.workFolder)) continue
    for (const tag of RepoTags ?? []) if (tag.startsWith(`${preparedName}:`)) await removeImage(engine, tag)
  }
}

const triesToRemove = 40
const retryMs = 250

/** Removes a name of an image, and the image with its last name. An engine may still be removing a container of it. */
export async function removeImage(engine: EngineClient, name: string) {
  for (let tries = 1; tries <= triesToRemove; tries += 1) {
    const error: unknown = await engine.send({ method: 'DELETE', path: `/images/${name}` }).catch((found) => found)
    if (!(error instanceof EngineError && error.status === 409)) return
    await delay(retryMs)
  }
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
