import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { listTests as endpoint, TestList } from '#contract/runs.ts'
import { limits } from '#contract/wire/limit.ts'
import { encodePageToken } from '#contract/wire/page-token.ts'
import type { Context } from '#platform/context.ts'
import { readPageToken } from '#platform/http/read-page-token.ts'
import { findRunScope } from '#platform/runs/find-run.ts'
import { findTests } from './store.ts'
import { toTest } from './to-test.ts'

const Position = z.tuple([z.uuid(), z.int()])

/** GET /runs/{id}/tests: captured tests of one run, or of every run of a request, a page at a time. */
export async function listTests(context: Context, input: VerbInput<typeof endpoint>): Promise<TestList> {
  const scope = await findRunScope(context, input.id)
  const limit = input.pageSize ?? limits.tests.default
  const position = readPageToken(input.pageToken, Position)
  const after = position && { runId: position[0], ordinal: position[1] }
  const rows = await findTests(context.db, scope, { after, limit: limit + 1, omitTails: input.omitTails })
  const tests = rows.slice(0, limit).map(toTest)
  const last = tests.at(-1)
  return { tests, ...(rows.length > limit && last && { nextPageToken: encodePageToken([last.runId, last.ordinal]) }) }
}
