import type { BulkAction, BulkActionKind, RerunChoice } from '#contract/bulk-actions.ts'
import { isSolved } from '#contract/outcomes.ts'
import { isTerminal, runCan, type RunStatus, runStatuses } from '#contract/run-status.ts'
import type { Run, StatusCounts } from '#contract/runs.ts'
import { count, counted } from '#src/format/numbers.ts'

const statusWords: Record<RunStatus, string> = {
  queued: 'queued',
  waiting_for_ci: 'waiting for a build',
  running: 'running',
  completed: 'completed',
  errored: 'errored',
  canceled: 'canceled',
}

/** “30 queued, 7 running”. */
export const statusLine = (counts: BulkAction['statusCounts']) =>
  runStatuses.flatMap((status) => (counts[status] ? `${count(counts[status])} ${statusWords[status]}` : [])).join(', ')

/** A reason is a phrase such as “solved”, or a sentence of the platform. */
export const leftOutLine = (leftOut: BulkAction['leftOut']) =>
  leftOut.map(({ runs, reason }) => `${count(runs)}${/\s\S+\s\S+\s/.test(reason) ? ':' : ''} ${reason}`).join('; ')

type Named = Pick<BulkAction, 'kind' | 'newTag'>

/** What the button of a proposal does, such as “Cancel 37 runs”. */
export function verbOf({ kind, newTag }: Named, touched: number) {
  const runs = counted(touched, 'run')
  const verbs: Record<BulkActionKind, string> = {
    cancel: `Cancel ${runs}`,
    rerun: `Run ${runs} again`,
    tag: `Add tag “${newTag ?? ''}” to ${runs}`,
    delete: `Delete ${counted(touched, 'imported run')}`,
    export: `Export ${runs}`,
  }
  return verbs[kind]
}

/** What an action is doing or has done, such as “Canceled”. */
export function doingOf({ kind, newTag }: Named, isOver: boolean) {
  const words: Record<BulkActionKind, readonly [doing: string, done: string]> = {
    cancel: ['Canceling runs', 'Canceled runs'],
    rerun: ['Queuing runs again', 'Queued runs again'],
    tag: [`Tagging runs “${newTag ?? ''}”`, `Tagged runs “${newTag ?? ''}”`],
    delete: ['Deleting imported runs', 'Deleted imported runs'],
    export: ['Exporting runs', 'Exported runs'],
  }
  return words[kind][isOver ? 1 : 0]
}

export const choiceLabels: Record<Exclude<RerunChoice, 'all'>, string> = {
  failed: 'Unsolved or errored',
  unsolved: 'Unsolved',
  errored: 'Errored',
}

/** The chosen rows, or all runs that match, by status. */
export type Selected = { runs: readonly Run[] } | { counts: StatusCounts | undefined }

const isFailed = (run: Run) => run.status === 'errored' || isSolved(run, run.outcomes) === false

const hasStatus = (selected: Selected, allows: (status: RunStatus) => boolean) =>
  'runs' in selected
    ? selected.runs.some(({ status }) => allows(status))
    : !selected.counts || runStatuses.some((status) => allows(status) && selected.counts && selected.counts[status] > 0)

/** Why an action is not offered; null if it is. The proposal says it for each run. */
export const whyNot = {
  cancel: (selected: Selected) =>
    hasStatus(selected, (status) => runCan.cancel({ status })) ? null : 'Every selected run has ended',
  rerun: (selected: Selected) => (hasStatus(selected, isTerminal) ? null : 'No selected run has ended'),
  rerunFailed: (selected: Selected) =>
    whyNot.rerun(selected) ??
    ('runs' in selected && !selected.runs.some(isFailed) ? 'No selected run is unsolved or errored' : null),
}
