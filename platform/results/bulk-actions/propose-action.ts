import { v7 as newId } from 'uuid'

import type { BulkAction, proposeBulkAction as endpoint } from '#contract/bulk-actions.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { tagProblem, toTagName } from '#contract/labels.ts'
import { limits } from '#contract/wire/limit.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { findMatchingRuns } from '#platform/queue/runs/find-matching-runs.ts'
import { type Plan, planAction } from './plan-action.ts'
import { withBalance } from './get-action.ts'
import { requireAllowed } from './policy.ts'
import { findSelectedRuns, type SelectedRun } from './selected-runs-store.ts'
import { deleteOldProposals, insertAction } from './store.ts'
import { showAction } from './to-bulk-action.ts'

type Input = VerbInput<typeof endpoint>

/**
 * POST /bulk-actions: chooses the runs and says what the action would touch, without touching it. Errors:
 * `permission_denied` for kinds that the role does not allow, `invalid_argument` for a bad tag or too many runs.
 */
export async function proposeAction(context: Context, input: Input): Promise<BulkAction> {
  const { kind, runUuids, newTag: text, choice, ...filters } = input
  requireAllowed(context, kind)
  const newTag = readTag(kind, text)
  if (choice !== undefined && kind !== 'rerun') throw invalid('`choice` is only for runs again')
  const runIds = runUuids
    ? [...new Set(runUuids.map((id) => id.toLowerCase()))]
    : await findMatchingRuns(context, filters, limits.bulkActionRuns + 1)
  if (runIds.length > limits.bulkActionRuns)
    throw invalid(
      `More than ${limits.bulkActionRuns.toLocaleString('en')} runs match. One bulk action can touch at most as many: add a filter`,
    )
  const { db, organization, caller } = context
  const runs = await findSelectedRuns(db, { organizationId: organization.id, runIds })
  const wanted = { kind, newTag, choice: kind === 'rerun' ? (choice ?? 'all') : null }
  const plan = withMissing(await planAction(context, runs, wanted), runIds.length - runs.length)
  const { touched, ...said } = plan
  const id = newId()
  const owner = { organizationId: organization.id, createdBy: personOf(caller) }
  await db.transaction(async (tx) => {
    await insertAction(
      tx,
      {
        ...owner,
        ...wanted,
        id,
        state: 'proposed',
        plan: { ...said, selected: runIds.length, statusCounts: countStatuses(touched.map(({ run }) => run)) },
        createdAt: await clockNow(tx),
      },
      touched.map(({ run, part }) => ({ runId: run.id, part })),
    )
    await deleteOldProposals(tx, owner, limits.bulkActionProposals)
  })
  return withBalance(context, await showAction(context, id))
}

function readTag(kind: Input['kind'], text: string | undefined) {
  if (kind !== 'tag') {
    if (text !== undefined) throw invalid('`newTag` is only for tags')
    return null
  }
  const name = toTagName(text ?? '')
  const problem = name === '' ? 'must not be blank' : tagProblem(name)
  if (problem !== null) throw invalid(problem, [{ path: 'newTag', message: problem }])
  return name
}

/** Also for ids of another organization, about which it reveals nothing. */
const withMissing = (plan: Plan, missing: number): Plan =>
  missing === 0 ? plan : { ...plan, leftOut: [...plan.leftOut, { reason: 'not found', runs: missing }] }

const countStatuses = (runs: readonly SelectedRun[]) =>
  Object.fromEntries([...Map.groupBy(runs, ({ status }) => status)].map(([status, all]) => [status, all.length]))
