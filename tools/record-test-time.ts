import { appendFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

import { timesOfTree } from './process-times.mjs'

/** One line of the file that `test-time.mjs` reads. */
type TestTime = {
  /** A test file, or a story with its title. */
  name: string
  /** Where it ran: `PGlite`, `PostgreSQL`, `ClickHouse` or `browser`. */
  on: string
  wallMs: number
  /** Of the process that runs the test, and of everything that it started. */
  ownMs: number
  childrenMs: number
  /** The part of `ownMs` in which the embedded database ran a message. */
  pgliteMs: number
}

/** Starts a measurement; the returned function ends it and writes its line to TEST_TIME_FILE. */
export function startTestTime(file: string, on: string) {
  const [startedAt, before] = [performance.now(), timesOfTree(process.pid)]
  return (name: string, pgliteMs = 0) => {
    const now = timesOfTree(process.pid)
    const line: TestTime = {
      name,
      on,
      wallMs: Math.round(performance.now() - startedAt),
      ownMs: now.ownMs - before.ownMs,
      childrenMs: now.childrenMs - before.childrenMs,
      pgliteMs: Math.round(pgliteMs),
    }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
}
