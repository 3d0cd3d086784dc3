import { type RemovalKind, removalText } from '#contract/retention.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { findRemovals } from './removal-store.ts'

export const listRemovals = (db: Database, runId: string) => findRemovals(db, runId)

/** Why retention removed a part of a run, as a sentence, or undefined if it did not. */
export const describeRemoved = async (db: Database, runId: string, kind: RemovalKind) =>
  removalText(await findRemovals(db, runId), kind)
