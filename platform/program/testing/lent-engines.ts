import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  EngineEnded,
  type EngineProcess,
  startEngineProcess,
} from '#platform/analysis/analytics/chdb/engine-process.ts'
import { analyticsTableNames } from '#contract/sql-tables.ts'

type Kept = { process: EngineProcess; folder: string; memoryBytes: number }

/** Engines without rows that no test uses. Starting one takes a second of processor time, emptying one a few milliseconds. */
const idle: Kept[] = []

/** More than a test file uses at once; the others are stopped. */
const maxIdle = 2

/** Set for the processes of a test run, which end without stopping their engines. */
const run = () => process.env['TEST_RUN']

const folderOf = (name: string) => join(tmpdir(), `assay-test-engines-${name}`)

/** After a test run. */
export const removeEnginesOfRun = (name: string) =>
  rm(folderOf(name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/**
 * Starts an engine that goes to the next test once it is stopped. Its rows are then gone, so a test of an engine that is
 * stopped and started again on its rows needs `startEngineProcess`.
 */
export const lendEngine: typeof startEngineProcess = (options, confinement) => {
  const name = run()
  if (name === undefined || confinement.missing !== null) return startEngineProcess(options, confinement)
  for (const dead of idle.filter(({ process }) => !process.isAlive())) idle.splice(idle.indexOf(dead), 1)
  const at = idle.findIndex(({ memoryBytes }) => memoryBytes === options.memoryBytes)
  const kept = idle.splice(at, at < 0 ? 0 : 1)[0] ?? start(name, options.memoryBytes, confinement)
  // By this folder the platform recognizes rows that somebody has deleted.
  mkdirSync(join(options.folder, 'store'), { recursive: true })
  return lend(kept)
}

function start(name: string, memoryBytes: number, confinement: Parameters<typeof startEngineProcess>[1]): Kept {
  mkdirSync(folderOf(name), { recursive: true })
  const folder = mkdtempSync(join(folderOf(name), 'engine-'))
  return { process: startEngineProcess({ folder, memoryBytes }, confinement), folder, memoryBytes }
}

function lend(kept: Kept): EngineProcess {
  const { process } = kept
  const going = new Set<Promise<unknown>>()
  let hasEnded = false
  return {
    ready: process.ready,
    isAlive: () => !hasEnded && process.isAlive(),
    async perform(task, deadlineSeconds) {
      if (hasEnded) throw new EngineEnded('The analytics engine is stopping', false)
      const work = process.perform(task, deadlineSeconds)
      going.add(work)
      return work.finally(() => going.delete(work))
    },
    async stop() {
      if (hasEnded) return
      hasEnded = true
      await takeBack(kept, going.size === 0)
    },
  }
}

/** A statement that is still running could write later, so its engine is stopped. */
async function takeBack(kept: Kept, isAtRest: boolean) {
  if (idle.length < maxIdle && isAtRest && (await isEmptied(kept.process))) {
    idle.push(kept)
    return
  }
  await kept.process.stop()
  await rm(kept.folder, { recursive: true, force: true, maxRetries: 5 })
}

const emptySeconds = 10

async function isEmptied(process: EngineProcess) {
  if (!process.isAlive()) return false
  try {
    await process.ready
    for (const table of analyticsTableNames) {
      const sql = `TRUNCATE TABLE ${table}`
      await process.perform({ kind: 'query', sql, parameters: {}, deadlineSeconds: emptySeconds }, emptySeconds)
    }
    return true
  } catch {
    return false
  }
}
