import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'

/** Errors: `invalid_argument` for a time in the past, by the database's clock. */
export async function requireFuture(tx: Database, expiresAt: string | undefined) {
  if (expiresAt === undefined || Date.parse(expiresAt) > Date.parse(await clockNow(tx))) return
  throw invalidFields([{ path: ['expiresAt'], message: 'must be in the future' }])
}
