import type { Services } from '#platform/context.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { projectTurns } from './project-turns.ts'
import { deleteOutboxRows, findFinishedRuns, findOutboxBatch, findOutcomes } from './store.ts'
import { toRunRow, toTestRows } from './to-rows.ts'

export type ProjectionServices = Pick<Services, 'db' | 'analytics' | 'blobs'>

const runsPerBatch = 200

/**
 * Takes an organization's waiting runs into the engine, oldest first, until none waits; gives how many it took.
 * When it is done, queries see every run that had ended before the call. Killed anywhere, or run twice at once, it only
 * sends rows again that the engine then holds once. Throws what the engine throws; unacknowledged runs stay waiting.
 */
export const projectRuns = (services: ProjectionServices, organizationId: string): Promise<number> =>
  oneAtATime(services.analytics, organizationId, () => projectBatches(services, organizationId))

/** As projectRuns, for a caller that already has its turn. */
export async function projectBatches(
  services: ProjectionServices,
  organizationId: string,
  onProjected: (count: number) => void = () => {},
): Promise<number> {
  let projected = 0
  for (;;) {
    const batch = await findOutboxBatch(services.db, organizationId, runsPerBatch)
    if (batch.length === 0) return projected
    await projectBatch(services, organizationId, [...new Set(batch.map((row) => row.runId))])
    await deleteOutboxRows(
      services.db,
      batch.map((row) => row.id),
    )
    projected += batch.length
    onProjected(projected)
  }
}

/** A run's own row goes last: whoever sees the run sees its tests. */
async function projectBatch(services: ProjectionServices, organizationId: string, runIds: string[]) {
  const { db, analytics } = services
  const [runs, outcomes] = await Promise.all([findFinishedRuns(db, runIds), findOutcomes(db, runIds)])
  const outcomesByRun = Map.groupBy(outcomes, (outcome) => outcome.runId)
  const testRows = runs.flatMap((run) => toTestRows(run, outcomesByRun.get(run.id) ?? []))
  await analytics.insert(organizationId, 'tests', testRows)
  await projectTurns(services, organizationId, runs)
  await analytics.insert(
    organizationId,
    'runs',
    runs.map((run) => toRunRow(run)),
  )
}
