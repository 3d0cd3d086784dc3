import { randomBytes } from 'node:crypto'

import { dropDatabasesOfRun } from './server-database.ts'

/** Vitest calls this before all tests, and the function that it returns after all of them. */
export function setup() {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) return undefined
  process.env['TEST_RUN'] = randomBytes(4).toString('hex')
  return () => dropDatabasesOfRun(server)
}
