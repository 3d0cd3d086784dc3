import type { RemovalKind } from '#contract/retention.ts'
import { removeOutputs } from '#platform/queue/captured-tests/remove-outputs.ts'
import { dropChanges } from '#platform/queue/changes/record-changes.ts'
import type { AnalyticsTable } from '#contract/sql-tables.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { deleteEmptyRequests, deleteRuns } from '#platform/queue/run-queue/delete-requests.ts'
import { removeSpans } from '#platform/queue/spans/record-spans.ts'
import { removeTranscripts } from '#platform/queue/transcripts/record-segments.ts'

type OldRun = { id: string; requestId: string }

/** Removes a kind of these runs, and returns the keys of blobs without a row. */
export const removeKind: Record<RemovalKind, (tx: Database, runs: readonly OldRun[]) => Promise<string[]>> = {
  async transcripts(tx, runs) {
    await removeSpans(tx, idsOf(runs))
    return removeTranscripts(tx, idsOf(runs))
  },
  async outputs(tx, runs) {
    await removeOutputs(tx, idsOf(runs))
    return []
  },
  changes: (tx, runs) => dropChanges(tx, idsOf(runs)),
  async runs(tx, runs) {
    const blobKeys = await deleteRuns(tx, idsOf(runs))
    await deleteEmptyRequests(tx, [...new Set(runs.map(({ requestId }) => requestId))])
    return blobKeys
  },
}

const idsOf = (runs: readonly OldRun[]) => runs.map(({ id }) => id)

/** The tables of the analytics engine with rows of a kind. Failures quote transcripts and outputs. */
export const tablesOf: Record<RemovalKind, readonly AnalyticsTable[]> = {
  transcripts: ['turns', 'spans', 'failures'],
  outputs: ['outputs', 'failures'],
  changes: [],
  runs: ['turns', 'spans', 'outputs', 'failures', 'labels', 'scores', 'tests', 'runs'],
}
