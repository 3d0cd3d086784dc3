import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Analytics, AnalyticsRow } from '#platform/analytics/analytics.ts'
import { invalid, unavailable } from '#platform/failure.ts'
import { type EngineProcess, startEngineProcess } from './engine-process.ts'
import type { EngineTask } from './messages.ts'

export type ChdbOptions = {
  /** Holds one data directory per organization. */
  folder: string
  /** An engine unused for this long is stopped; it starts again with the next query. */
  idleSeconds?: number
  memoryBytes?: number
}

const queryDeadlineSeconds = 30
const writeDeadlineSeconds = 300

/** A process that was just killed may hold the folder's lock for a moment longer. */
const openAttempts = 10
const openRetryMilliseconds = 250

type Engine = { process: EngineProcess | null; queue: Promise<unknown>; idle: NodeJS.Timeout | undefined }

/**
 * Analytics in chDB processes, one per organization over its own folder, started by the first query, stopped when idle,
 * killed on deadline or memory and started again by the next query. Statements of one organization run one after another
 * (an engine session does no better), so only the statement that overran fails.
 */
export function chdbAnalytics({ folder, idleSeconds = 300, memoryBytes = 2 ** 31 }: ChdbOptions): Analytics {
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

  function perform(organizationId: string, task: EngineTask, deadlineSeconds: number) {
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
  }

  return {
    async query(organizationId, sql, { parameters = {}, deadlineSeconds = queryDeadlineSeconds } = {}) {
      // chDB runs only what stands before a NUL.
      if (sql.includes('\0')) throw invalid('SQL may not hold a NUL character')
      return readRows(
        await perform(organizationId, { kind: 'query', sql, parameters, deadlineSeconds }, deadlineSeconds),
      )
    },
    async insert(organizationId, table, rows) {
      if (rows.length > 0)
        await perform(organizationId, { kind: 'insert', table, rows: writeRows(rows) }, writeDeadlineSeconds)
    },
    async clear(organizationId) {
      await perform(organizationId, { kind: 'clear' }, writeDeadlineSeconds)
    },
    async close() {
      closed = true
      await Promise.all([...engines.values()].map((engine) => engine.process?.stop()))
    },
  }
}

const writeRows = (rows: readonly AnalyticsRow[]) =>
  new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

function readRows(lines: Uint8Array): AnalyticsRow[] {
  const text = new TextDecoder().decode(lines).trimEnd()
  return text === '' ? [] : (JSON.parse(`[${text.replaceAll('\n', ',')}]`) as AnalyticsRow[])
}
