import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { parseImageReference } from '#contract/image-reference.ts'
import { containerFilter } from '#platform/ground/confinement/container-filter.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import type { RunPlaces } from '#platform/engine/images/run-place.ts'
import type { ProcessLimits } from '#platform/engine/sandbox/limits.ts'
import { isWorkerAlive } from '#platform/engine/workspace/work-folder.ts'
import { containerPlaces } from './container-places.ts'
import type { EngineKind } from './detect-engine.ts'
import type { PullSettings } from './pull-container-image.ts'
import { reapContainers } from './reap-containers.ts'
import type { WatchedEngine } from './watch-engine.ts'

/** The operator's settings for SANDBOX=docker. */
export type ContainerChoice = {
  socketPath: string
  /** The image of environments that name none. */
  defaultImage: string | null
  /** Processors of a run; 0 means no limit. */
  cpus: number
}

type Worker = {
  engine: EngineClient
  watched: WatchedEngine
  choice: ContainerChoice
  limits: ProcessLimits
  pulls: PullSettings
  /** The folder of this worker, as `openWorkFolder` returned it. */
  workFolder: string
}

/** Removes what killed workers left in the engine, and returns where this worker's runs execute. */
export async function openContainers({
  engine,
  watched,
  choice,
  limits,
  pulls,
  workFolder,
}: Worker): Promise<RunPlaces> {
  const ownFolder = dirname(workFolder)
  const workRoot = dirname(ownFolder)
  const reap = () => reapContainers(engine, { workRoot, isWorkerAlive })
  // An engine that fails now is looked at again before the first run.
  if (watched.status.available) await reap().catch(() => {})
  watched.onBack(reap)
  const reference = choice.defaultImage === null ? null : parseImageReference(choice.defaultImage)
  return containerPlaces({
    engine,
    watched,
    defaultImage: reference && { name: choice.defaultImage ?? '', reference, password: null, digest: null },
    limits: { ...limits, cpus: choice.cpus, ...(await readOwnLimits()) },
    pulls,
    filterFor: await prepareFilters(watched.kind, join(ownFolder, 'filters')),
    workRoot,
    workFolder,
    contentFolder: join(ownFolder, 'contents'),
  })
}

async function readOwnLimits() {
  const text = await readFile('/proc/self/limits', 'latin1')
  const hard = (name: string) => Number(new RegExp(`^Max ${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) || null
  // Podman lowers its own limit to what the kernel can have.
  const kernelProcesses = Number(await readFile('/proc/sys/kernel/pid_max', 'latin1'))
  return {
    openFiles: hard('open files'),
    userProcesses: Math.min(hard('processes') ?? kernelProcesses, kernelProcesses),
  }
}

async function prepareFilters(kind: () => EngineKind, folder: string) {
  const filters = {
    root: JSON.stringify(containerFilter(process.arch, { pretendsRoot: true })),
    other: JSON.stringify(containerFilter()),
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [user, filter] of Object.entries(filters)) await writeFile(join(folder, `${user}.json`), filter)
  return (user: keyof typeof filters) => (kind() === 'docker' ? filters[user] : join(folder, `${user}.json`))
}
