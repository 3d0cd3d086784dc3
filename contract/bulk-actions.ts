import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { runFilterAliases, runFilters } from './run-list.ts'
import { RunStatus } from './run-status.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** `delete` is for runs that were imported. `export` only keeps the selection, so that `GET /runs/export` can use it. */
export const BulkActionKind = z.enum(['cancel', 'rerun', 'tag', 'delete', 'export'])
export type BulkActionKind = z.infer<typeof BulkActionKind>

/** A proposal touches nothing. A stopped or failed action can be started again and does the rest. */
export const BulkActionState = z.enum(['proposed', 'running', 'done', 'stopped', 'failed'])
export type BulkActionState = z.infer<typeof BulkActionState>

/** Which of the ended runs run again: `failed` are those that were not solved and those that errored. */
export const RerunChoice = z.enum(['all', 'failed', 'unsolved', 'errored'])
export type RerunChoice = z.infer<typeof RerunChoice>

const count = z.int().min(0)

const RunsWithReason = z.object({ reason: z.string(), runs: count })

export const BulkAction = z.object({
  id: z.uuid(),
  kind: BulkActionKind,
  state: BulkActionState,
  /** Why the action stopped or failed. */
  stateReason: z.string().optional(),
  newTag: z.string().optional(),
  choice: RerunChoice.optional(),
  createdBy: Actor,
  createdAt: Timestamp,
  startedAt: Timestamp.optional(),
  endedAt: Timestamp.optional(),
  /** What was said before the start: the selected runs, those that the action touches, by status, and why it leaves out the others. */
  selected: count,
  touched: count,
  statusCounts: z.partialRecord(RunStatus, count),
  leftOut: z.array(RunsWithReason),
  /** Of runs again: the credit that they hold, and for admins what is available. */
  cost: z
    .object({ currency: z.literal('USD'), heldMicros: z.string(), availableMicros: z.string().optional() })
    .optional(),
  /** Of runs again: how many runs have a version that is not the newest. */
  olderVersions: count.optional(),
  progress: z.object({ pending: count, done: count, skipped: count, failed: count }),
  /** Why runs were skipped or failed. */
  problems: z.array(RunsWithReason.extend({ state: z.enum(['skipped', 'failed']) })),
  /** The run requests of runs again, at most 20. */
  runRequestIds: z.array(z.uuid()),
})
export type BulkAction = z.infer<typeof BulkAction>

export const BulkActionList = z.object({ actions: z.array(BulkAction) })
export type BulkActionList = z.infer<typeof BulkActionList>

/** What a person types before runs are deleted. */
export const confirmationOf = ({ touched }: Pick<BulkAction, 'touched'>) => `delete ${touched}`

const errors = ['invalid_argument', 'unauthenticated', 'permission_denied'] as const

/** The runs are those that match the filters of the query, unless the body lists them. */
export const proposeBulkAction = endpoint({
  name: 'bulkActions.propose',
  method: 'POST',
  path: '/bulk-actions',
  summary: 'Preview a bulk action on selected runs',
  query: z.object(runFilters),
  queryAliases: runFilterAliases,
  body: z.object({
    kind: BulkActionKind,
    runUuids: z.array(z.uuid()).min(1).max(limits.bulkActionRuns).optional(),
    newTag: z.string().max(200).optional(),
    choice: RerunChoice.optional(),
  }),
  bodyBytes: 1_000_000,
  bodyValues: limits.bulkActionRuns + 100,
  response: BulkAction,
  status: 201,
  errors: [...errors, 'not_found', 'failed_precondition'],
})

export const listBulkActions = endpoint({
  name: 'bulkActions.list',
  method: 'GET',
  path: '/bulk-actions',
  summary: 'List the newest bulk actions that were started',
  response: BulkActionList,
  errors,
})

export const getBulkAction = endpoint({
  name: 'bulkActions.get',
  method: 'GET',
  path: '/bulk-actions/:actionId',
  summary: 'Get a bulk action with its progress',
  response: BulkAction,
  errors: [...errors, 'not_found'],
})

export const startBulkAction = endpoint({
  name: 'bulkActions.start',
  method: 'POST',
  path: '/bulk-actions/:actionId/start',
  summary: 'Start a bulk action, or the rest of one that stopped',
  body: z.object({ confirmation: z.string().max(200).optional() }),
  response: BulkAction,
  errors: [...errors, 'not_found', 'failed_precondition', 'resource_exhausted'],
})

export const stopBulkAction = endpoint({
  name: 'bulkActions.stop',
  method: 'POST',
  path: '/bulk-actions/:actionId/stop',
  summary: 'Stop a bulk action after its current batch',
  response: BulkAction,
  errors: [...errors, 'not_found', 'failed_precondition'],
})
