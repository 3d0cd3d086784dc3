import { randomBytes } from 'node:crypto'

import { removeEnginesOfRun } from './lent-engines.ts'
import { dropDatabasesOfRun } from './server-database.ts'

/** Vitest calls this before all tests, and the function that it returns after all of them. */
export function setup() {
  const run = randomBytes(4).toString('hex')
  process.env['TEST_RUN'] = run
  const server = process.env['TEST_DATABASE_URL']
  return async () => {
    await removeEnginesOfRun(run)
    if (server) await dropDatabasesOfRun(server)
  }
}
