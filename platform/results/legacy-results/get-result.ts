import type { VerbInput } from '#contract/endpoint.ts'
import type { getLegacyResult as endpoint, LegacyResultDetail } from '#contract/legacy-results.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { CapturedTest } from '#contract/tests.ts'
import { limits } from '#contract/wire/limit.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { getRunDetail } from '#platform/queue/runs/get-run.ts'
import { listTests } from '#platform/queue/captured-tests/list-tests.ts'
import { toResult } from './to-result.ts'

/** GET /results/{id}: one ended run with its tests. Errors: `not_found`, also for a run that has not ended. */
export async function getResult(context: Context, { id }: VerbInput<typeof endpoint>): Promise<LegacyResultDetail> {
  const run = isCompositeRunId(id) ? await getRunDetail(context, id) : null
  if (!run || !isTerminal(run.status)) throw notFound(`Result "${id}" does not exist`)
  const tests = await everyTest(context, id)
  return {
    ...toResult(run),
    tests: tests.map(({ testName, outcome, exitCode, durationMs }) => ({ testName, outcome, exitCode, durationMs })),
  }
}

async function everyTest(context: Context, id: string) {
  const tests: CapturedTest[] = []
  let pageToken: string | undefined
  do {
    const page = await listTests(context, { id, pageSize: limits.tests.max, pageToken, omitTails: true })
    tests.push(...page.tests)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return tests
}
