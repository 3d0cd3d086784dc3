import type { Database } from '#platform/ground/database/open-database.ts'
import { clearTails } from './store.ts'

/** Removes what the tests of these runs printed. Their outcomes stay. */
export const removeOutputs = (tx: Database, runIds: readonly string[]) => clearTails(tx, runIds)
