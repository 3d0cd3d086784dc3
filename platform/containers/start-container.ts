import { chmod, mkdir, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'

import { ContainerState, Created } from '#platform/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { InfrastructureFailure, RunFailure } from '#platform/run-queue/run-failure.ts'
import { type ContainerNeeds, containerSpec, keeperOf } from './container-spec.ts'
import { findContainerFault, observeContainer } from './prove-container.ts'
import { removeContainer } from './reap-containers.ts'

/** A container in which commands of one run execute. */
export type Container = {
  id: string
  /** Its first process, on this machine. */
  pid: number
  processNamespace: string
  keeperUid: number
  /** What the run writes outside its folders, as a folder of this machine. Null if the engine does not say where. */
  layer: string | null
  remove: () => Promise<void>
}

/** Creates, starts and checks the container of one run. Throws RunFailure if it does not confine its processes. */
export async function startContainer(engine: EngineClient, needs: ContainerNeeds, signal: AbortSignal) {
  const spec = { method: 'POST', path: '/containers/create', body: containerSpec(needs), signal } as const
  const { Id: id } = await engine.ask(spec, Created)
  let line: Socket | undefined
  const remove = async () => {
    line?.destroy()
    await removeContainer(engine, id)
  }
  try {
    await engine.send({ method: 'POST', path: `/containers/${id}/start`, signal })
    line = await openLifeline(engine, id)
    return { ...(await observe(engine, id, needs)), remove }
  } catch (error) {
    await remove().catch(() => {})
    throw error
  }
}

/** The container ends when this connection closes. */
async function openLifeline(engine: EngineClient, id: string) {
  const { socket } = await engine.hijack({
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: 'true', stdin: 'true', stdout: 'true' },
  })
  socket.on('error', () => {}).resume()
  return socket
}

async function observe(engine: EngineClient, id: string, needs: ContainerNeeds): Promise<Omit<Container, 'remove'>> {
  const { State, GraphDriver } = await engine.ask({ method: 'GET', path: `/containers/${id}/json` }, ContainerState)
  if (!State.Running || State.Pid === 0) throw new RunFailure('its first process ended at once')
  const keeperUid = keeperOf(needs.user)
  const place = { pid: State.Pid, keeperUid, folder: needs.folders.workspace, inside: needs.inside.workspace }
  const observed = await observeContainer(place).catch(() => null)
  const fault = observed
    ? findContainerFault(observed)
    : 'its processes are not those of this machine: the engine must run on the same machine'
  if (fault !== null) {
    const reason = `the container does not confine its processes: ${fault}`
    throw new InfrastructureFailure(reason, 'sandbox', { isTransient: false })
  }
  await makeTmp(`/proc/${State.Pid}/root/tmp`)
  const layer = GraphDriver?.Data?.['UpperDir']
  return {
    id,
    pid: State.Pid,
    processNamespace: await readlink(`/proc/${State.Pid}/ns/pid`),
    keeperUid,
    layer: typeof layer === 'string' ? layer : null,
  }
}

/** An image may have none. No command has run yet. */
async function makeTmp(path: string) {
  const isNew = await mkdir(path).then(
    () => true,
    () => false,
  )
  if (isNew) await chmod(path, 0o1777)
}
