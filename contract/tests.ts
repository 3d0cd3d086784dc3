import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Outcome } from './outcomes.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { booleanParam } from '#contract/wire/query-values.ts'

/**
 * `id` identifies this test of this run. `runId` is the composite id of the run, `runUuid` its UUID, and `ordinal` the
 * position of the test in the run. Tails are the last 64 KiB of each stream. `command` is absent if the definition has
 * none, `exitCodeMeaning` unless the code means a signal or has a usual meaning, and `assertion` unless the output of a failure
 * shows it; all three are absent without tails.
 */
export const CapturedTest = z.object({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  testName: z.string(),
  ordinal: z.int().min(0),
  outcome: Outcome,
  exitCode: z.int().nullable(),
  durationMs: z.number().min(0).nullable(),
  stdoutTail: z.string(),
  stderrTail: z.string(),
  command: z.array(z.string()).optional(),
  exitCodeMeaning: z.string().optional(),
  assertion: z.string().optional(),
})
export type CapturedTest = z.infer<typeof CapturedTest>

export const TestList = z.object({ tests: z.array(CapturedTest), nextPageToken: z.string().optional() })
export type TestList = z.infer<typeof TestList>

export const listTests = endpoint({
  name: 'tests.list',
  method: 'GET',
  path: '/runs/:id/tests',
  summary: 'List the captured tests of a run, or of every run of a request',
  query: z.object({
    pageSize: limitParam(limits.tests),
    pageToken: z.string().optional(),
    /** Leaves both tails empty, and out what is found in them, to get the outcomes of a whole request without megabytes of output. */
    omitTails: booleanParam(),
  }),
  response: TestList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})

export const getTest = endpoint({
  name: 'tests.get',
  method: 'GET',
  path: '/runs/:id/tests/:name',
  summary: 'Get one captured test of a run',
  response: CapturedTest,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
