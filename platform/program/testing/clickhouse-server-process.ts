import { fileURLToPath } from 'node:url'

import { findConfinement } from '#platform/analysis/analytics/chdb/confine.ts'
import { spawnEngine } from '#platform/analysis/analytics/chdb/spawn-confined.ts'
import type { EngineResult, EngineOptions, EngineStatement } from './clickhouse-server-engine.ts'

const program = fileURLToPath(new URL('./clickhouse-server-engine.ts', import.meta.url))

const stoppedEngine = 'Code: 210. DB::Exception: The engine stopped. (NETWORK_ERROR)'

export type EngineProcess = {
  /** Returns the result, or throws with ClickHouse's message. */
  perform: (statement: Omit<EngineStatement, 'id'>) => Promise<string>
  stop: () => Promise<void>
}

/** Starts an engine, confined like those of the embedded analytics. */
export async function startServerEngine(options: EngineOptions): Promise<EngineProcess> {
  const { confine } = await findConfinement()
  const argv = [process.execPath, program, JSON.stringify(options)]
  const child = spawnEngine(confine(options.folder, argv, [program]))
  const waiting = new Map<number, PromiseWithResolvers<string>>()
  const started = Promise.withResolvers<string>()
  waiting.set(0, started)
  let lastId = 0
  child.on('message', ({ id, text, isError }: EngineResult) => {
    const reply = waiting.get(id)
    waiting.delete(id)
    if (isError) reply?.reject(new Error(text.replace(/^Query failed: /, '')))
    else reply?.resolve(text)
  })
  // At close and not at exit: bubblewrap may be gone before the engine inside, which holds the folder's lock.
  const gone = Promise.withResolvers<void>()
  child.once('close', () => {
    for (const reply of waiting.values()) reply.reject(new Error(stoppedEngine))
    gone.resolve()
  })
  await started.promise
  return {
    perform(statement) {
      const id = ++lastId
      const reply = Promise.withResolvers<string>()
      waiting.set(id, reply)
      child.send({ ...statement, id }, (error) => error && reply.reject(new Error(stoppedEngine)))
      return reply.promise
    },
    async stop() {
      child.kill('SIGKILL')
      await gone.promise
    },
  }
}
