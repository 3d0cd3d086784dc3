import type { Database, OpenDatabase } from '#platform/ground/database/open-database.ts'
import { borrowInMemory, closeIdleInMemory } from './in-memory-database.ts'
import { borrowOnServer, dropIdleOnServer } from './server-database.ts'

/** A migrated, empty state database: PGlite in memory, or a database on the server of TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  const opened = await (server ? borrowOnServer(server) : borrowInMemory())
  if (process.env['TEST_TRANSACTIONS'] === 'twice') repeatTransactions(opened.db)
  return opened
}

/**
 * Rolls every transaction back once and repeats it, as after a deadlock. All tests must pass this way too:
 * `TEST_TRANSACTIONS=twice vitest run …`.
 */
function repeatTransactions(db: Database) {
  const transact = db.transaction.bind(db)
  const rolledBack = new Error('The transaction is rolled back to be repeated')
  db.transaction = async (work, config) => {
    await transact(async (tx) => {
      await work(tx)
      throw rolledBack
    }, config).catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
    return transact(work, config)
  }
}

/** For a program that ends: an idle database keeps its process alive, or stays on the server. */
export async function closeIdleDatabases() {
  const server = process.env['TEST_DATABASE_URL']
  await (server ? dropIdleOnServer(server) : closeIdleInMemory())
}
