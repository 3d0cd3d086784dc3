import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Turn } from '#platform/context/analytics.ts'
import { boundedLane } from '#platform/analytics/lane.ts'
import { readerLane } from '#platform/analytics/limits-of-reading.ts'
import { unavailable } from '#platform/failures/failure.ts'
import type { Confinement } from './confine.ts'
import { clearDataFolder, isWithoutRows, openDataFolder } from './data-folder.ts'
import { EngineEnded, type EngineProcess, startEngineProcess } from './engine-process.ts'
import type { EngineAnswer, EngineTask } from './messages.ts'

export type EnginePoolOptions = {
  folder: string
  idleSeconds: number
  memoryBytes: number
  confinement: () => Promise<Confinement>
}

/** A process that was just killed may hold the folder's lock for a moment longer. */
const openAttempts = 10
const openRetryMilliseconds = 250

/**
 * Users' statements take half of this machine's cores at most, the rest is left to charts and to the platform; fewer at
 * once, more wait.
 */
const atOnce = Math.max(1, Math.min(readerLane.atOnce, availableParallelism() >> 1))
const maxWaiting = readerLane.own.maxWaiting + readerLane.atOnce - atOnce
const laneHere = { ...readerLane, atOnce, own: { ...readerLane.own, maxWaiting } }

const newEngine = () => ({
  process: null as EngineProcess | null,
  /** Opening and clearing, one after another. */
  changes: Promise.resolve() as Promise<unknown>,
  /** The platform's own tasks, one after another. */
  queue: Promise.resolve() as Promise<unknown>,
  readers: boundedLane(laneHere),
  going: 0,
  idle: undefined as NodeJS.Timeout | undefined,
})
type Engine = ReturnType<typeof newEngine>

/**
 * A task whose engine was killed is performed again, once: it changes nothing, or adds rows that are held once. A user's
 * statement under which the engine ran out of memory would do it again.
 */
const mayTryAgain = (task: EngineTask, error: unknown) =>
  error instanceof EngineEnded && !(error.isOfMemory && task.kind === 'read')

/** Runs work when what is before it has settled; `after` is what the next has to wait for. */
function inOrder<T>(before: Promise<unknown>, work: () => Promise<T>) {
  const result = before.then(work)
  return { result, after: result.catch(() => {}) }
}

/**
 * One engine process per organization, started by its first task, stopped when idle, started again when it is gone.
 * The platform's tasks run one after another beside a bounded number of users' turns.
 */
export function enginePool({ folder, idleSeconds, memoryBytes, confinement }: EnginePoolOptions) {
  const engines = new Map<string, Engine>()
  let closed = false

  function engineOf(organizationId: string) {
    const engine = engines.get(organizationId) ?? newEngine()
    engines.set(organizationId, engine)
    return engine
  }

  async function openEngine(engine: Engine, organizationId: string) {
    // An engine over a folder that somebody removed answers from nothing.
    if (engine.process?.isAlive() && !isWithoutRows(folder, organizationId)) return engine.process
    await engine.process?.stop()
    const dataFolder = openDataFolder(folder, organizationId)
    for (let attempt = 1; ; attempt++) {
      if (closed) throw unavailable('Analytics is stopping')
      engine.process = startEngineProcess({ folder: dataFolder, memoryBytes }, await confinement())
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

  function change<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
    const { result, after } = inOrder(engine.changes, work)
    engine.changes = after
    return result
  }

  async function performOnce(engine: Engine, organizationId: string, task: EngineTask, deadlineSeconds: number) {
    const process = await change(engine, () => openEngine(engine, organizationId))
    return process.perform(task, deadlineSeconds)
  }

  async function performNow(organizationId: string, task: EngineTask, deadlineSeconds: number) {
    const engine = engineOf(organizationId)
    clearTimeout(engine.idle)
    engine.going += 1
    try {
      return await performOnce(engine, organizationId, task, deadlineSeconds).catch((error: unknown) => {
        if (closed || !mayTryAgain(task, error)) throw error
        return performOnce(engine, organizationId, task, deadlineSeconds)
      })
    } finally {
      engine.going -= 1
      const stopIdle = () => void change(engine, async () => engine.going === 0 && engine.process?.stop())
      if (engine.going === 0) engine.idle = setTimeout(stopIdle, idleSeconds * 1000).unref()
    }
  }

  function inQueue<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const engine = engineOf(organizationId)
    const { result, after } = inOrder(engine.queue, work)
    engine.queue = after
    return result
  }

  return {
    perform: (organizationId: string, task: EngineTask, deadlineSeconds: number) =>
      inQueue(organizationId, () => performNow(organizationId, task, deadlineSeconds)),

    takeTurn: <T>(organizationId: string, turn: Turn, work: (perform: PerformTask) => Promise<T>): Promise<T> =>
      engineOf(organizationId).readers(turn, () =>
        work((task, deadlineSeconds) => performNow(organizationId, task, deadlineSeconds)),
      ),

    clear: (organizationId: string) =>
      inQueue(organizationId, () => {
        const engine = engineOf(organizationId)
        return change(engine, async () => {
          await engine.process?.stop()
          await clearDataFolder(folder, organizationId)
        })
      }),

    async close() {
      closed = true
      // In its turn: one that is being opened is not there to be stopped yet.
      await Promise.all([...engines.values()].map((engine) => change(engine, async () => engine.process?.stop())))
    },
  }
}

export type PerformTask = (task: EngineTask, deadlineSeconds: number) => Promise<EngineAnswer>
