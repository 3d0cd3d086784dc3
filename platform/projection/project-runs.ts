import type { Services } from '#platform/context/context.ts'
import { RefusedRows } from '#platform/context/analytics.ts'
import { oneAtATime, unlessBusyElsewhere } from './one-at-a-time.ts'
import { projectTests } from './project-tests.ts'
import { projectTurns } from './project-turns.ts'
import { enqueueLostRows } from './restore-lost-rows.ts'
import { deleteOutboxRows, findFinishedRuns, findOutboxBatch, type FinishedRun } from './store.ts'
import { toRunRow } from './to-rows.ts'

export type ProjectionServices = Pick<Services, 'db' | 'analytics' | 'blobs'>

const runsPerBatch = 200

/**
 * Takes an organization's waiting runs into the engine, oldest first, until none waits; gives how many it took.
 * When it is done, queries see every run that had ended before the call. Killed anywhere, or run twice at once, it only
 * sends rows again that the engine then holds once. Rows that the engine refuses are left out and told in the log, and
 * the rest of their run goes in. Throws what else the engine throws; unacknowledged runs stay waiting.
 */
export const projectRuns = (services: ProjectionServices, organizationId: string): Promise<number> =>
  oneAtATime(services, organizationId, () => projectBatches(services, organizationId))

/** As projectRuns, but null while another process writes the organization's rows: what it leaves, the next call takes. */
export const projectRunsUnlessBusy = (services: ProjectionServices, organizationId: string): Promise<number | null> =>
  unlessBusyElsewhere(services, organizationId, () => projectBatches(services, organizationId))

/** As projectRuns, for a caller that already has its turn. */
export async function projectBatches(
  services: ProjectionServices,
  organizationId: string,
  onProjected: (count: number) => void = () => {},
): Promise<number> {
  await enqueueLostRows(services, organizationId)
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
const tables = [
  { table: 'tests', send: projectTests },
  { table: 'turns', send: projectTurns },
  { table: 'runs', send: projectRunRows },
]

async function projectBatch(services: ProjectionServices, organizationId: string, runIds: string[]) {
  const runs = await findFinishedRuns(services.db, runIds)
  try {
    for (const { send } of tables) await send(services, organizationId, runs)
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error
    for (const run of runs) await projectAlone(services, organizationId, run)
  }
}

/** A refusal names no run, and would come again for ever: alone, a run loses what is refused of it and delays no other. */
async function projectAlone(services: ProjectionServices, organizationId: string, run: FinishedRun) {
  for (const { table, send } of tables) {
    try {
      await send(services, organizationId, [run])
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      console.error(`analytics holds not all ${table} of run ${run.id}, which the engine refuses: ${error.message}`)
    }
  }
}

async function projectRunRows({ analytics }: ProjectionServices, organizationId: string, runs: readonly FinishedRun[]) {
  await analytics.insert(
    organizationId,
    'runs',
    runs.map((run) => toRunRow(run)),
  )
}
