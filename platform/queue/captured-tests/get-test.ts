import type { VerbInput } from '#contract/endpoint.ts'
import type { CapturedTest, getTest as endpoint } from '#contract/tests.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid, notFound } from '#platform/ground/failures/failure.ts'
import { findRun } from '#platform/queue/run-lookup/find-run.ts'
import { findTest } from './store.ts'
import { loadCommands } from './test-commands.ts'
import { toTest } from './to-test.ts'

/**
 * Tests named `.` and `..`. URL parsers resolve such a segment even if it is percent-encoded, so clients encode it twice
 * (`toRequestParts`).
 */
const findDotted = async ({ db }: Context, runId: string, name: string) =>
  /^(?:%2e){1,2}$/i.test(name) ? findTest(db, runId, decodeURIComponent(name)) : null

/** GET /runs/{id}/tests/{name}: one captured test of one run. Errors: `not_found` for the run or the test. */
export async function getTest(context: Context, { id, name }: VerbInput<typeof endpoint>): Promise<CapturedTest> {
  if (!isCompositeRunId(id)) throw invalid('This route needs a composite run id')
  const { run } = await findRun(context, id)
  const row = (await findTest(context.db, run.id, name)) ?? (await findDotted(context, run.id, name))
  if (!row) throw notFound(`Run "${id}" has no captured test "${name}"`)
  return toTest(row, await loadCommands(context.db, [row]))
}
