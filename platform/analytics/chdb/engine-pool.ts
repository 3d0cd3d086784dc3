import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { unavailable } from '#platform/failure.ts'
import { type EngineProcess, startEngineProcess } from './engine-process.ts'
import type { EngineTask } from './messages.ts'

export type EnginePoolOptions = { folder: string; idleSeconds: number; memoryBytes: number }

/** A process that was just killed may hold the folder's lock for a moment longer. */
const openAttempts = 10
const openRetryMilliseconds = 250

type Engine = { process: EngineProcess | null; queue: Promise<unknown>; idle: NodeJS.Timeout | undefined }

/**
 * One engine process per organization, started by its first task, stopped when idle, started again when it is gone.
 * Tasks of one organization run one after another (an engine session does no better), so only a task that overran fails.
 */
export function enginePool({ folder, idleSeconds, memoryBytes }: EnginePoolOptions) {
  const engines = new Map<string, Engine>()
  let closed = false

  async function openEngine(engine: Engine, organizationId: string) {
    if (engine.process?.isAlive()) return engine.process
    await engine.process?.stop()
    for (let attempt = 1; ; attempt++) {
      if (closed) throw unavailable('Analytics is stopping')
      engine.process = startEngineProcess({ folder: join(folder, organizationId), memoryBytes })
      try {
        await engine.process.ready
        return engine.process
      } catch (error) {
        await engine.process.stop()
        if (attempt === openAttempts) throw error
        await sleep(openRetryMilliseconds)
      }
    }
  }

  return {
    perform(organizationId: string, task: EngineTask, deadlineSeconds: number): Promise<Uint8Array> {
      const engine = engines.get(organizationId) ?? { process: null, queue: Promise.resolve(), idle: undefined }
      engines.set(organizationId, engine)
      const result = engine.queue.then(async () => {
        clearTimeout(engine.idle)
        const process = await openEngine(engine, organizationId)
        try {
          return await process.perform(task, deadlineSeconds)
        } finally {
          engine.idle = setTimeout(() => void process.stop(), idleSeconds * 1000).unref()
        }
      })
      engine.queue = result.catch(() => {})
      return result
    },
    async close() {
      closed = true
      await Promise.all([...engines.values()].map((engine) => engine.process?.stop()))
    },
  }
}
