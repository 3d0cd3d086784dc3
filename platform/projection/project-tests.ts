import type { Services } from '#platform/context/context.ts'
import { findOutcomes, type FinishedRun, type TestPosition } from './store.ts'
import { toTestRow } from './to-rows.ts'

/** A row repeats its run's axes, so this is about 10 MB per insert. */
const rowsPerInsert = 10_000

/** Sends the captured tests of these runs to the engine, with a limited number in memory at a time. */
export async function projectTests(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const runsById = new Map(runs.map((run) => [run.id, run]))
  let after: TestPosition | undefined
  do {
    const outcomes = await findOutcomes(db, [...runsById.keys()], { after, limit: rowsPerInsert })
    const rows = outcomes.flatMap((test) => {
      const run = runsById.get(test.runId)
      return run ? [toTestRow(run, test)] : []
    })
    await analytics.insert(organizationId, 'tests', rows)
    after = outcomes.length === rowsPerInsert ? outcomes.at(-1) : undefined
  } while (after)
}
