import type { VerbInput } from '#contract/endpoint.ts'
import type { CapturedTest, getTest as endpoint } from '#contract/tests.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/context/context.ts'
import { invalid, notFound } from '#platform/failures/failure.ts'
import { findRun } from '#platform/runs/find-run.ts'
import { findTest } from './store.ts'
import { toTest } from './to-test.ts'

/** GET /runs/{id}/tests/{name}: one captured test of one run. Errors: `not_found` for the run or the test. */
export async function getTest(context: Context, { id, name }: VerbInput<typeof endpoint>): Promise<CapturedTest> {
  if (!isCompositeRunId(id)) throw invalid('This route needs a composite run id')
  const { run } = await findRun(context, id)
  const row = await findTest(context.db, run.id, name)
  if (!row) throw notFound(`Run "${id}" has no captured test "${name}"`)
  return toTest(row)
}
