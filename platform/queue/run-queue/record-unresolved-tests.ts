import { inArray, sql } from 'drizzle-orm'

import { taskOf } from '#contract/task.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'

/** A longer statement would hold up the thread of an embedded database. */
const runsPerStatement = 50

/** Inserts the tests of runs that never started: each is unresolved. Call it in the transaction that ends the runs. */
export async function recordUnresolvedTests(tx: Database, runIds: readonly string[]) {
  for (const [first, ...others] of await findRunsByPrompt(tx, runIds)) {
    const version = await loadVersion(tx, first)
    if (!version) continue
    const byNames = Map.groupBy([first, ...others], ({ prompt }) =>
      JSON.stringify(taskOf(version.definition, prompt).tests.map(({ name }) => name)),
    )
    for (const [names, prompts] of byNames) {
      const ids = prompts.flatMap((prompt) => prompt.runIds)
      for (let start = 0; start < ids.length; start += runsPerStatement) {
        const some = JSON.stringify(ids.slice(start, start + runsPerStatement))
        await tx.execute(sql`
          insert into ${capturedTests} (run_id, ordinal, name, outcome, stdout_tail, stderr_tail)
          select run.id::uuid, test.ordinal - 1, test.name, 'unresolved', '', ''
          from jsonb_array_elements_text(${some}::jsonb) as run (id)
          cross join jsonb_array_elements_text(${names}::jsonb) with ordinality as test (name, ordinal)`)
      }
    }
  }
}

/** Groups runs by prompt, and these groups by version, because a version is large and is loaded once. */
async function findRunsByPrompt(tx: Database, runIds: readonly string[]) {
  const { organizationId, experimentId, fingerprint, prompt } = runs
  const rows = await tx
    .select({ organizationId, experimentId, fingerprint, prompt, runIds: sql<string[]>`json_agg(${runs.id})` })
    .from(runs)
    .where(inArray(runs.id, [...runIds]))
    .groupBy(organizationId, experimentId, fingerprint, prompt)
  return Map.groupBy(
    rows,
    (row) => `${row.organizationId} ${row.experimentId} ${row.fingerprint}`,
  ).values() as Iterable<[(typeof rows)[number], ...typeof rows]>
}
