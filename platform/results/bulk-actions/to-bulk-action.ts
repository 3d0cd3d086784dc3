import type { BulkAction, BulkActionList } from '#contract/bulk-actions.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { type ActionWithCreator, countRuns, findAction, findNewRequests, findStartedActions } from './store.ts'

const shownActions = 20
const shownRequests = 20
const shownProblems = 20

type Place = Pick<SharedContext, 'db' | 'organization'>

/** Errors: `not_found`. */
export async function requireAction({ db, organization }: Place, id: string) {
  const row = await findAction(db, organization.id, id)
  if (!row) throw notFound('There is no such bulk action. A proposal lasts for a day')
  return row
}

export async function showAction(context: Place, id: string): Promise<BulkAction> {
  const [action] = await toBulkActions(context.db, [await requireAction(context, id)])
  if (!action) throw new Error('a bulk action has one form')
  return action
}

/** GET /bulk-actions: the newest 20, of everybody in the organization. */
export async function listActions({ db, organization }: Place): Promise<BulkActionList> {
  return { actions: await toBulkActions(db, await findStartedActions(db, organization.id, shownActions)) }
}

async function toBulkActions(db: Database, rows: readonly ActionWithCreator[]): Promise<BulkAction[]> {
  const ids = rows.map(({ action }) => action.id)
  const [counts, requests] =
    ids.length > 0 ? await Promise.all([countRuns(db, ids), findNewRequests(db, ids)]) : [[], []]
  return rows.map(({ action, creator }) => {
    const own = counts.filter(({ actionId }) => actionId === action.id)
    const inState = (state: string) =>
      own.filter((each) => each.state === state).reduce((sum, { runs }) => sum + runs, 0)
    const { plan, stateReason, newTag, choice, startedAt, endedAt } = action
    return {
      id: action.id,
      kind: action.kind,
      state: action.state,
      ...(stateReason !== null && { stateReason }),
      ...(newTag !== null && { newTag }),
      ...(choice !== null && { choice }),
      createdBy: creator,
      createdAt: action.createdAt,
      ...(startedAt !== null && { startedAt }),
      ...(endedAt !== null && { endedAt }),
      selected: plan.selected,
      touched: own.reduce((sum, { runs }) => sum + runs, 0),
      statusCounts: plan.statusCounts,
      leftOut: plan.leftOut,
      ...(plan.heldMicros !== undefined && { cost: { currency: 'USD' as const, heldMicros: plan.heldMicros } }),
      ...(plan.olderVersions !== undefined && { olderVersions: plan.olderVersions }),
      progress: {
        pending: inState('pending'),
        done: inState('done'),
        skipped: inState('skipped'),
        failed: inState('failed'),
      },
      problems: own
        .flatMap(({ state, reason, runs }) =>
          (state === 'skipped' || state === 'failed') && reason !== null ? [{ state, reason, runs }] : [],
        )
        .toSorted((a, b) => b.runs - a.runs)
        .slice(0, shownProblems),
      runRequestIds: requests
        .filter(({ actionId }) => actionId === action.id)
        .map(({ requestId }) => requestId)
        .slice(0, shownRequests),
    }
  })
}
