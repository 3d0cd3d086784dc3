import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parseImageReference } from '#contract/image-reference.ts'
import { engineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { openContainers } from '#platform/engine/containers/open-containers.ts'
import { watchEngine } from '#platform/engine/containers/watch-engine.ts'
import { noEgressSettings } from '#platform/ground/egress/egress-settings.ts'
import type { RunPlace, RunPlaces } from '#platform/engine/images/run-place.ts'
import type { SandboxCommand } from '#platform/engine/sandbox/sandbox.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { openWorkFolder } from '#platform/engine/workspace/work-folder.ts'
import { runShell } from './run-shell.ts'
import { openTestEngine, whyNoEngine } from './test-engine.ts'
import { openTestRegistry, whyNoTestImages } from './test-registry.ts'

const limits = { memoryMb: 96, processes: 200, diskMb: 100 }

/**
 * Starts an engine, a registry and a worker whose runs execute in containers. If this machine cannot, `skip` says why,
 * and the containers must not be used.
 */
export async function openTestContainers() {
  const reason = whyNoTestImages ?? whyNoEngine
  const daemon = reason === null ? await openTestEngine().catch((error: Error) => error.message) : reason
  const skip = typeof daemon === 'string' ? daemon : null
  const containers = typeof daemon === 'string' ? null : await startWorker(daemon)
  // Tests that are skipped use nothing of it.
  return { skip, containers: containers ?? ({ close: async () => {} } as Awaited<ReturnType<typeof startWorker>>) }
}

type More = { registry?: string; password?: string; digest?: string; places?: RunPlaces }

async function startWorker(daemon: Awaited<ReturnType<typeof openTestEngine>>) {
  const engine = engineClient(daemon.socketPath)
  const folder = await mkdtemp(join(tmpdir(), 'assay-containers-'))
  const registry = await openTestRegistry()
  await registry.push({ name: 'plain:1', files: { '/app/given.txt': 'given\n' }, config: { WorkingDir: '/app' } })
  const work = await openWorkFolder(join(folder, 'work'))
  const { workFolder } = work
  const insecureRegistries = [registry.address]
  const openPlaces = async (limitMb = 500) =>
    openContainers({
      engine,
      watched: await watchEngine(engine),
      choice: { socketPath: engine.socketPath, defaultImage: `${registry.address}/plain:1`, cpus: 1 },
      limits,
      pulls: { insecureRegistries, egress: noEgressSettings, limitMb },
      workFolder,
    })
  const places = await openPlaces()
  const held: RunPlace[] = []

  async function openRun(name = 'plain:1', more: More = {}) {
    const place = join(workFolder, `run-${held.length}`)
    const folders = await makeRunFolders(place)
    const text = `${more.registry ?? registry.address}/${name}`
    const reference = parseImageReference(text)
    if (!reference) throw new Error(`${text} is no reference`)
    const wanted = { name: text, reference, password: more.password ?? null, digest: more.digest ?? null }
    const owner = { id: `run-${held.length}`, attempt: 1 }
    const { signal } = new AbortController()
    const run = await (more.places ?? places).open(wanted, { folders, folder: place, signal, owner, seconds: 60 })
    held.push(run)
    const shell = (script: string, options: Partial<SandboxCommand> = {}) =>
      runShell(run.sandbox, folders, '', { argv: ['sh', '-c', script], ...options })
    return { run, folders, shell }
  }

  return {
    engine,
    /** Sends a signal to the engine itself. */
    signalEngine: daemon.signal,
    folder,
    registry,
    /** Registries on loopback that this worker may use. */
    insecureRegistries,
    workFolder,
    places,
    openPlaces,
    openRun,
    async close() {
      for (const place of held) await place.release()
      work.release()
      await registry.close()
      await daemon.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
