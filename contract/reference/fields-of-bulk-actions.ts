import type { FieldTexts } from './reference-text.ts'

const uuid = '019a1f2c-8f60-7000-8000-0000000000a1'

/** Bulk actions on runs. */
export const bulkActionFields: FieldTexts = {
  actions: ['The bulk actions, newest first.'],
  'BulkAction.id': ['The id of the bulk action.', uuid],
  'BulkAction.kind': ['What is done to the runs.', 'cancel'],
  'BulkActionsProposeRequest.kind': ['What to do to the runs.', 'cancel'],
  'BulkAction.state': ['What the action is doing. A proposal has touched nothing.', 'running'],
  stateReason: ['Why the action stopped or failed. Absent otherwise.', 'Stopped by Ada Admin'],
  newTag: ['The tag to put on the runs. Only for `tag`.', 'wrong api'],
  choice: [
    'Which of the ended runs run again: all, or only some of those without success. Only for `rerun`.',
    'failed',
  ],
  selected: ['How many runs were selected.', 56],
  touched: ['How many of them the action touches.', 37],
  'BulkAction.statusCounts': ['The runs to touch by their status at the proposal.', { queued: 30, running: 7 }],
  'BulkAction.leftOut': ['Why the other selected runs are left out.'],
  'BulkAction.leftOut.reason': ['Why they are left out.', 'already ended'],
  'BulkAction.leftOut.runs': ['How many runs.', 19],
  'BulkAction.cost': ['What runs again may cost. Absent for other kinds.'],
  'BulkAction.cost.currency': ['The currency.', 'USD'],
  'BulkAction.cost.heldMicros': ['The credit that the runs hold, in micros.', '1200000'],
  availableMicros: ['The credit that is available, in micros. Only for admins, before the start.', '25000000'],
  olderVersions: ['How many runs have a version that is not the newest. Absent for other kinds.', 6],
  'BulkAction.progress': ['The runs by what happened to them.'],
  'BulkAction.progress.pending': ['Runs that were not touched yet.', 12],
  'BulkAction.progress.done': ['Runs that were touched.', 24],
  'BulkAction.progress.skipped': ['Runs that could no longer be changed.', 1],
  'BulkAction.progress.failed': ['Runs for which the action was refused.', 0],
  problems: ['Why runs were skipped or failed.'],
  'BulkAction.problems.reason': ['Why.', 'had ended, or was being canceled'],
  'BulkAction.problems.runs': ['How many runs.', 1],
  'BulkAction.problems.state': ['What happened to them.', 'skipped'],
  runRequestIds: ['The run requests of runs again, at most 20.', [uuid]],
  runUuids: ['The UUIDs of the runs. Without them, the filters of the query choose the runs.', [uuid]],
  confirmation: ['`delete` and the number of runs, for a deletion.', 'delete 37'],
}
