import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

import type { EngineClient } from '#platform/containers/engine/engine-client.ts'
import { killProcess } from '#platform/run-engine/sandbox/kill-process.ts'

/** Returns the processes of a container's commands, by their ids on this machine. */
type ListProcesses = () => Promise<number[]>

const roundsBeforeFreezing = 10
const roundsInTotal = 40

/**
 * Kills every process of the container's commands, and resolves when none is left. Processes that start others faster
 * than they are killed are frozen first. Throws if some stay.
 */
export async function killCommands(engine: EngineClient, id: string, list: ListProcesses) {
  for (let round = 0; round < roundsInTotal; round += 1) {
    const found = await list()
    if (found.length === 0) return
    if (round < roundsBeforeFreezing) found.forEach(killProcess)
    else await killFrozen(engine, id, list)
    await delay(round < 3 ? 2 : 20)
  }
  throw new Error('Processes of the run could not be ended')
}

async function killFrozen(engine: EngineClient, id: string, list: ListProcesses) {
  await engine.send({ method: 'POST', path: `/containers/${id}/pause` })
  try {
    for (const pid of await list()) killProcess(pid)
  } finally {
    await engine.send({ method: 'POST', path: `/containers/${id}/unpause` })
  }
}

/** Lists the processes in a process namespace, except those of the user who keeps the container. */
export async function listCommands(namespace: string, keeperUid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const areCommands = await Promise.all(
    pids.map(async (pid) => {
      if ((await readlink(`/proc/${pid}/ns/pid`).catch(() => '')) !== namespace) return false
      return (await readUid(pid)) !== keeperUid
    }),
  )
  return pids.filter((_, index) => areCommands[index])
}

const readUid = async (pid: number) =>
  Number(/^Uid:\t(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'latin1').catch(() => ''))?.[1] ?? -1)
