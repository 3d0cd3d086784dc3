import { LRUCache } from 'lru-cache'

import type { Database } from '#platform/ground/database/open-database.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import { loadRequest } from '#platform/queue/run-queue/load-request.ts'
import type { RunRow } from '#platform/queue/run-queue/claim-runs.ts'

/** What a claimed run was submitted with; null for what is no longer stored. */
type Pinned = { version: Awaited<ReturnType<typeof loadVersion>>; request: Awaited<ReturnType<typeof loadRequest>> }

export type LoadPinned = (run: RunRow) => Promise<Pinned>

/** Packages can be large, and a worker rarely works on more submissions at once. */
const maxRequests = 8

/** Deleting an experiment deletes its runs too, so nothing older than this is needed. */
const ttlMs = 10_000

/** Loads the version and the request of runs. The runs of one request, which follow one another, share one load. */
export function pinnedLoader(db: Database): LoadPinned {
  const load = async (run: RunRow): Promise<Pinned> => ({
    version: await loadVersion(db, run),
    request: await loadRequest(db, run.requestId),
  })
  const recent = new LRUCache<string, Promise<Pinned>>({ max: maxRequests, ttl: ttlMs })
  return (run) => {
    const known = recent.get(run.requestId)
    if (known) return known
    const loading = load(run)
    recent.set(run.requestId, loading)
    loading.catch(() => recent.delete(run.requestId))
    return loading
  }
}
