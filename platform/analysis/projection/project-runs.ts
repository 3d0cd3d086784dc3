import { logTrouble } from '#server-kit/log-fault.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { projectedRuns } from '#platform/ground/metrics/metrics.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { RefusedRows } from '#platform/ground/services/analytics.ts'
import { foldVersionCounts } from '#platform/inputs/experiments/fold-version-counts.ts'
import { oneAtATime, unlessBusy } from './one-at-a-time.ts'
import { projectFailures } from './project-failures.ts'
import { projectLabels } from './project-labels.ts'
import { projectSpans } from './project-spans.ts'
import { projectTurns } from './project-turns.ts'
import { enqueueLostRows } from './restore-lost-rows.ts'
import { rowWriter } from './row-writer.ts'
import {
  deleteOutboxRows,
  findFinishedRuns,
  findOutboxBatch,
  type FinishedRun,
  findOutcomes,
  type TestPosition,
} from './store.ts'
import { toRunRow, toScoreRows, toTestRow } from './to-rows.ts'

/** Reading more rows at once would hold up the thread of an embedded database. */
const testsPerRead = 500

/** Sends the captured tests of these runs to the engine, with a limited number in memory at a time. */
async function projectTests(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const runsById = new Map(runs.map((run) => [run.id, run]))
  const rows = rowWriter(analytics, organizationId, 'tests')
  let after: TestPosition | undefined
  do {
    const outcomes = await findOutcomes(db, [...runsById.keys()], { after, limit: testsPerRead })
    for (const test of outcomes) {
      const run = runsById.get(test.runId)
      if (run) await rows.add(toTestRow(run, test))
    }
    after = outcomes.length === testsPerRead ? outcomes.at(-1) : undefined
  } while (after)
  await rows.send()
}

export type ProjectionServices = Pick<Services, 'db' | 'analytics' | 'blobs'>

const runsPerBatch = 200

/**
 * Inserts an organization's waiting runs into the analytics engine, oldest first, until none is left. Returns how many
 * it inserted. Afterwards, queries see every run that ended before the call. If it is killed, or runs twice at once, it
 * only sends rows again, which the engine stores once. Rows that the engine rejects are skipped and logged, and the
 * rest of their run is inserted. Throws the engine's other errors; unacknowledged runs stay in the outbox.
 */
export const projectRuns = (services: ProjectionServices, organizationId: string): Promise<number> =>
  oneAtATime(services, organizationId, () => projectBatches(services, organizationId))

/**
 * Like projectRuns, but inserts one batch of runs, and nothing while somebody else writes the organization's rows.
 * Returns whether more runs wait for the next call.
 */
export async function projectBatchUnlessBusy(services: ProjectionServices, organizationId: string): Promise<boolean> {
  const projected = await unlessBusy(services, organizationId, () => projectNextBatch(services, organizationId))
  return projected === runsPerBatch
}

/** Like projectRuns, for a caller that already holds the lock of oneAtATime. */
export async function projectBatches(
  services: ProjectionServices,
  organizationId: string,
  onProjected: (count: number) => void = () => {},
): Promise<number> {
  let projected = 0
  for (;;) {
    const count = await giveWay(services.db, () => projectNextBatch(services, organizationId))
    projected += count
    if (count > 0) onProjected(projected)
    if (count < runsPerBatch) return projected
  }
}

/** Returns how many waiting runs it inserted. No more are left if those are fewer than a batch. */
async function projectNextBatch(services: ProjectionServices, organizationId: string): Promise<number> {
  await enqueueLostRows(services, organizationId)
  const batch = await findOutboxBatch(services.db, organizationId, runsPerBatch)
  if (batch.length > 0) {
    const whole = new Set(batch.filter((row) => !row.labelsOnly).map((row) => row.runId))
    const labeled = new Set(batch.map((row) => row.runId)).difference(whole)
    await projectBatch(services, organizationId, [...whole], tables)
    await projectBatch(services, organizationId, [...labeled], tablesWithLabels)
    await deleteOutboxRows(
      services.db,
      batch.map((row) => row.id),
    )
    projectedRuns.inc(batch.length)
    await foldVersionCounts(services.db, organizationId)
  }
  return batch.length
}

/** A run's own row goes last, so that a visible run always has its tests. */
const tables = [
  { table: 'tests', send: projectTests },
  { table: 'failures', send: projectFailures },
  { table: 'turns', send: projectTurns },
  { table: 'spans', send: projectSpans },
  { table: 'labels', send: projectLabels },
  { table: 'scores', send: projectScores },
  { table: 'runs', send: projectRunRows },
]

/** The tables with labels or tags of a run. */
const tablesWithLabels = tables.filter(({ table }) => ['tests', 'labels', 'scores', 'runs'].includes(table))

async function projectBatch(
  services: ProjectionServices,
  organizationId: string,
  runIds: string[],
  into: typeof tables,
) {
  if (runIds.length === 0) return
  const runs = await findFinishedRuns(services.db, runIds)
  try {
    for (const { send } of into) await send(services, organizationId, runs)
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error
    for (const run of runs) await projectAlone(services, organizationId, run, into)
  }
}

/**
 * The engine's error names no run and would repeat for ever. Inserted alone, a run loses only its rejected rows and
 * delays no other run.
 */
async function projectAlone(
  services: ProjectionServices,
  organizationId: string,
  run: FinishedRun,
  into: typeof tables,
) {
  for (const { table, send } of into) {
    try {
      await send(services, organizationId, [run])
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      logTrouble(`Analytics lacks some ${table} of run ${run.id}, because the engine rejects them`, error)
    }
  }
}

async function projectScores({ analytics }: ProjectionServices, organizationId: string, runs: readonly FinishedRun[]) {
  await analytics.insert(organizationId, 'scores', runs.flatMap(toScoreRows))
}

async function projectRunRows({ analytics }: ProjectionServices, organizationId: string, runs: readonly FinishedRun[]) {
  await analytics.insert(
    organizationId,
    'runs',
    runs.map((run) => toRunRow(run)),
  )
}
