import { afterAll, beforeAll, expect, test } from 'vitest'

import { twoByTwo } from '#platform/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/testing/test-platform.ts'
import { recordTests } from './record-tests.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

test('omit_tails=true answers the outcomes of a request without their output', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('tailed') })
  const { runRequestId } = (await platform.request('POST', '/experiments/tailed/runs')).json
  const [run] = (await platform.request('GET', `/runs?run_request_id=${runRequestId}`)).json.runs
  const captured = { outcome: 'failed', exitCode: 1, durationMs: 2, stdoutTail: 'out', stderrTail: 'err' } as const
  await recordTests(platform.services.db, run.runId, [{ name: 'a', ...captured }])

  const list = async (query: string) =>
    (await platform.request('GET', `/runs/${runRequestId}/tests${query}`)).json.tests
  expect(await list('')).toMatchObject([{ testName: 'a', stderrTail: 'err', stdoutTail: 'out' }])
  expect(await list('?omit_tails=true')).toMatchObject([
    { id: run.id, testName: 'a', outcome: 'failed', stderrTail: '', stdoutTail: '' },
  ])
  expect((await platform.request('GET', `/runs/${runRequestId}/tests?omit_tails=perhaps`)).status).toBe(400)
})
