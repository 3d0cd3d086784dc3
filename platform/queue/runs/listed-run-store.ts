import { getTableColumns } from 'drizzle-orm'

import { runs } from '#platform/ground/database/tables/runs.ts'

const {
  attempt: _attempt,
  losses: _losses,
  leaseOwner: _leaseOwner,
  leaseExpiresAt: _leaseExpiresAt,
  cancelRequestedAt: _cancelRequestedAt,
  testAwareEvidenceSeq: _testAwareEvidenceSeq,
  transcriptPublished: _transcriptPublished,
  turnCount: _turnCount,
  reasoningTurnCount: _reasoningTurnCount,
  skippedMalformed: _skippedMalformed,
  unknownLines: _unknownLines,
  reportedUsage: _reportedUsage,
  labelSlots: _labelSlots,
  triggeredBy: _triggeredBy,
  changedIn: _changedIn,
  ...listed
} = getTableColumns(runs)

/**
 * The columns of a run in a list: all but those for its worker, its transcript and the search for changes. Every value
 * of a row costs time, most of it in PGlite, and a page has 200 rows.
 */
export const listedColumns = listed

export type ListedRun = Pick<typeof runs.$inferSelect, keyof typeof listedColumns>
