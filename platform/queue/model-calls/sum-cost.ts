import type { Database } from '#platform/ground/database/open-database.ts'
import { sumCosts } from './store.ts'

/**
 * What all model calls of a request have cost, in US dollars. Attempts that were lost count too, because their calls
 * were paid.
 */
export const sumCostOfRequest = (db: Database, requestId: string): Promise<number> => sumCosts(db, { requestId })

/** The same for one run. */
export const sumCostOfRun = (db: Database, runId: string): Promise<number> => sumCosts(db, { runId })
