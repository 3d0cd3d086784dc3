import type { Turn } from '#platform/context/analytics.ts'

/** Whose runs a query sees within its organization. `runId` is a composite run id. */
export type QueryScope =
  | { kind: 'organization' }
  | { kind: 'experiment'; experimentId: string }
  | { kind: 'run'; runId: string }

/**
 * `limit` is in rows. Runs classified test aware are left out unless `includeTestAware`; the scope of one run, which
 * the caller chose by name, always has its rows.
 */
export type ScopedSql = {
  organizationId: string
  scope: QueryScope
  sql: string
  limit: number
  includeTestAware: boolean
  turn?: Turn
}
