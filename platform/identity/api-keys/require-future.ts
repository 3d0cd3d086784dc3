import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import { invalidFields } from '#platform/failures/failure.ts'

/** Errors: `invalid_argument` for a time in the past, by the database's clock. */
export async function requireFuture(tx: Database, expiresAt: string | undefined) {
  if (expiresAt === undefined || Date.parse(expiresAt) > Date.parse(await clockNow(tx))) return
  throw invalidFields([{ path: ['expiresAt'], message: 'must be in the future' }])
}
