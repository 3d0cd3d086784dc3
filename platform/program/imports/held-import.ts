import type { Database } from '#platform/ground/database/open-database.ts'
import { repeat } from '#platform/ground/loops/repeat.ts'
import { type ImportRow, lockHeld, updateHeld } from './store.ts'

const renewEveryMs = 15_000

/** Another process works on the import, or a person changed what happens to it. */
export class LeaseLost extends Error {}

/** An import whose lease this process has. `signal` aborts when the lease is lost or the program stops. */
export type HeldImport = {
  row: ImportRow
  signal: AbortSignal
  /** Throws a LeaseLost. */
  update: (change: Parameters<typeof updateHeld>[2]) => Promise<void>
  /** Keeps the lease until the transaction ends. Throws a LeaseLost. */
  lock: (tx: Database) => Promise<void>
}

/** Renews the lease while `work` lasts. */
export async function whileHeld<Result>(
  db: Database,
  row: ImportRow,
  stopping: AbortSignal,
  work: (held: HeldImport) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  const renew = async () => {
    if (!(await updateHeld(db, row))) lost.abort()
  }
  // A database that cannot be reached now may be reached before the lease ends.
  const works = [{ run: renew, fault: 'The lease of an import could not be renewed' }]
  const renewing = repeat({ everyMs: renewEveryMs, works })
  try {
    return await work({
      row,
      signal: AbortSignal.any([stopping, lost.signal]),
      async update(change) {
        if (!(await updateHeld(db, row, change))) throw new LeaseLost()
      },
      async lock(tx) {
        if (!(await lockHeld(tx, row))) throw new LeaseLost()
      },
    })
  } finally {
    await renewing.stop()
  }
}
