import type { Context, Services } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { starterContext } from '#platform/people/identity/starter-context.ts'
import { stampExperiments } from '#platform/inputs/experiments/stamp-experiments.ts'
import { requireAllowed } from './policy.ts'
import { findSelectedRuns } from './selected-runs-store.ts'
import { type BulkActionRow, claimAction, findNextRuns, lockAction, recordResults, updateAction } from './store.ts'
import { touchRuns } from './touch-runs.ts'

const maxFaults = 5

/**
 * Does the next batch of a bulk action whose turn it is. A batch and its results are one transaction under the lock of
 * the action, so a run is touched at most once, whatever is killed. Returns false when there is nothing to do.
 */
export async function performBatch(services: Services): Promise<boolean> {
  let claimed: string | undefined
  const onClaim = (id: string) => (claimed = id)
  try {
    if (!(await services.db.transaction((tx) => performIn(services, tx, onClaim)))) return false
    services.wakeRunEngine()
    services.wakeProjector()
    return true
  } catch (error) {
    if (claimed !== undefined) await noteFault(services.db, claimed)
    throw error
  }
}

async function performIn(services: Services, tx: Database, onClaim: (id: string) => void): Promise<boolean> {
  const action = await claimAction(tx)
  if (!action) return false
  onClaim(action.id)
  const rows = await findNextRuns(tx, action.id)
  const workedAt = await clockNow(tx)
  if (rows.length === 0) {
    await updateAction(tx, action.id, { state: 'done', endedAt: workedAt, workedAt })
    return true
  }
  const context = await contextOf(services, tx, action)
  if (typeof context === 'string') {
    await updateAction(tx, action.id, { state: 'stopped', stateReason: context, endedAt: workedAt, workedAt })
    return true
  }
  const runIds = rows.map(({ runId }) => runId)
  const runs = await findSelectedRuns(tx, { organizationId: action.organizationId, runIds })
  const results = await touchRuns(context, action, runs)
  const known = new Set(results.map(({ runId }) => runId))
  const gone = runIds.filter((id) => !known.has(id))
  await recordResults(tx, action.id, [
    ...results,
    ...gone.map((runId) => ({ runId, state: 'skipped' as const, reason: 'no longer exists' })),
  ])
  const isRemoval = action.kind === 'delete'
  // Deleted rows carry no stamp that would show polls the change.
  if (isRemoval) await stampExperiments(tx, action.organizationId, [...new Set(runs.map((run) => run.experimentId))])
  await updateAction(tx, action.id, { workedAt, faults: 0, ...(isRemoval && { removals: action.removals + 1 }) })
  return true
}

/** The context of the work, or why the action cannot continue. No kind needs more rights than those of a member. */
async function contextOf(services: Services, tx: Database, action: BulkActionRow): Promise<Context | string> {
  const starter = await starterContext({ ...services, db: tx }, action)
  if (!starter) return 'The person who started it is no longer a member'
  try {
    requireAllowed(starter.now, action.kind)
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
  return starter.context
}

async function noteFault(db: Database, id: string) {
  await db.transaction(async (tx) => {
    const [action] = await lockAction(tx, id)
    if (!action) return
    const faults = action.faults + 1
    const workedAt = await clockNow(tx)
    const isOver = faults >= maxFaults && action.state === 'running'
    const ended = isOver && { state: 'failed' as const, endedAt: workedAt, stateReason: tooManyFaults }
    await updateAction(tx, id, { faults, workedAt, ...ended })
  })
}

const tooManyFaults = 'The platform failed several times in a row; its log says why. Start it again to do the rest'
