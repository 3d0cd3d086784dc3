import type { Database } from '#platform/ground/database/open-database.ts'
import type { VersionKey } from './experiment-key.ts'
import { insertCount } from './version-count-store.ts'

type Queued = VersionKey & { createdAt: string; status: 'queued' | 'waiting_for_ci' }

/** Adds new runs to the counts of their version, where no trigger does (`commitTogether`). */
export const countQueuedRuns = (tx: Database, { createdAt, ...version }: Queued, runs: number) =>
  insertCount(tx, { ...version, cause: null, runs, lastActivityAt: createdAt })
