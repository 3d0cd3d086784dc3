import { readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { EngineError, whyEngineFailed } from '#platform/engine/containers/engine/engine-error.ts'
import { killProcess } from '#platform/engine/sandbox/kill-process.ts'
import { hasEnded, listProcesses } from '#platform/engine/sandbox/process-list.ts'
import { InfrastructureFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { KeeperLine } from './keeper-line.ts'

/** The processes of a container as this machine sees them: `pid` is the keeper. */
export type ContainerProcesses = { id: string; pid: number; namespace: string }

const roundsOfKeeper = 20
const roundsOfFreezing = 5
const roundsUntilGone = 500
const roundMs = 20

/**
 * Kills every process of a container except its keeper, and returns whether none is left. The keeper's kill reaches all
 * at once, so the list afterwards misses none. Only processes that the engine starts meanwhile can be in it, or ones that
 * the kernel still ends. If the keeper does not answer, the engine freezes the container.
 */
export async function endCommands(engine: EngineClient, processes: ContainerProcesses, line: KeeperLine) {
  for (let round = 0; round < roundsOfKeeper; round += 1) {
    if (!(await line.killAll())) break
    if ((await listCommands(processes)).length === 0) return true
    await delay(roundMs)
  }
  if (line.closed.aborted) return false
  for (let round = 0; round < roundsOfFreezing; round += 1) {
    const left = await killFrozen(engine, processes).catch((error: unknown) => {
      if (error instanceof EngineError) return null
      throw new InfrastructureFailure(whyEngineFailed(error, engine.socketPath), 'sandbox')
    })
    if (left === 0) return true
    await delay(roundMs)
  }
  return false
}

/** Returns how many processes there were while nothing could start others. Throws if the engine does not answer. */
async function killFrozen(engine: EngineClient, processes: ContainerProcesses) {
  const path = `/containers/${processes.id}`
  await engine.send({ method: 'POST', path: `${path}/pause`, limitMs: freezeMs })
  try {
    const found = await listCommands(processes)
    found.forEach(killProcess)
    return found.length
  } finally {
    await engine.send({ method: 'POST', path: `${path}/unpause`, limitMs: freezeMs })
  }
}

const freezeMs = 10_000

/**
 * Kills the keeper from outside: the kernel then kills every other process of its namespace. Needs no engine. Throws if
 * processes stay, for example in a system call that does not end.
 */
export async function endAll(processes: ContainerProcesses) {
  for (let round = 0; round < roundsUntilGone; round += 1) {
    if (await isIn(processes.pid, processes.namespace)) killProcess(processes.pid)
    if ((await listInside(processes.namespace)).length === 0) return
    await delay(roundMs)
  }
  throw new InfrastructureFailure('Some processes of the run could not be killed', 'sandbox')
}

const listCommands = async ({ pid, namespace }: ContainerProcesses) =>
  (await listInside(namespace)).filter((found) => found !== pid)

/** Lists the processes of a process namespace that have not ended, by their ids on this machine. */
async function listInside(namespace: string): Promise<number[]> {
  const pids = await listProcesses()
  const areIn = await Promise.all(pids.map(async (pid) => (await isIn(pid, namespace)) && !(await hasEnded(pid))))
  return pids.filter((_, index) => areIn[index])
}

const isIn = async (pid: number, namespace: string) =>
  (await readlink(`/proc/${pid}/ns/pid`).catch(() => '')) === namespace
