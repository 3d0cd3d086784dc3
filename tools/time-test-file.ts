import { relative } from 'node:path'

import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect } from 'vitest'

import { startTestTime } from './record-test-time.ts'

const { TEST_TIME_FILE = '', TEST_CLICKHOUSE, TEST_DATABASE_URL } = process.env
const stop = startTestTime(TEST_TIME_FILE, TEST_CLICKHOUSE ? 'ClickHouse' : TEST_DATABASE_URL ? 'PostgreSQL' : 'PGlite')

/** PGlite runs in the test's own thread, so its processor time is that of the thread during a message. */
let pgliteMs = 0
const { execProtocolRawSync } = PGlite.prototype
PGlite.prototype.execProtocolRawSync = function (...given) {
  const before = process.threadCpuUsage()
  try {
    return execProtocolRawSync.apply(this, given)
  } finally {
    const { user, system } = process.threadCpuUsage(before)
    pgliteMs += (user + system) / 1000
  }
}

// Registered before the hooks of the test file, so it runs after them.
afterAll(() => {
  PGlite.prototype.execProtocolRawSync = execProtocolRawSync
  stop(relative(process.cwd(), expect.getState().testPath ?? ''), pgliteMs)
})
