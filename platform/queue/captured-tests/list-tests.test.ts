import { afterAll, beforeAll, expect, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { recordTests } from '#platform/queue/run-queue/record-tests.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

test('omit_tails=true returns the outcomes of a request without their output', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('tailed') })
  const { runRequestId } = (await platform.request('POST', '/experiments/tailed/runs')).json
  const [run] = (await platform.request('GET', `/runs?run_request_id=${runRequestId}`)).json.runs
  const captured = { outcome: 'failed', exitCode: 1, durationMs: 2, stdoutTail: 'out', stderrTail: 'err' } as const
  await recordTests(platform.services.db, [{ runId: run.runUuid, tests: [{ name: 'a', ...captured }] }])

  const list = async (query: string) =>
    (await platform.request('GET', `/runs/${runRequestId}/tests${query}`)).json.tests
  expect(await list('')).toMatchObject([{ testName: 'a', stderrTail: 'err', stdoutTail: 'out' }])
  expect(await list('?omit_tails=true')).toMatchObject([
    { runId: run.id, testName: 'a', outcome: 'failed', stderrTail: '', stdoutTail: '' },
  ])
  expect((await platform.request('GET', `/runs/${runRequestId}/tests?omit_tails=perhaps`)).status).toBe(400)
})

test('a page ends at 4 MiB of output, even when page_size allows more tests, and its token continues with the next test', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('long') })
  const { runRequestId } = (await platform.request('POST', '/experiments/long/runs')).json
  const { runs } = (await platform.request('GET', `/runs?run_request_id=${runRequestId}`)).json
  const tail = 'ä'.repeat(8 * 1024)
  const captured = { outcome: 'failed', exitCode: 1, durationMs: 2, stdoutTail: tail, stderrTail: tail } as const
  const names = Array.from({ length: 150 }, (_, index) => `test ${index}`)
  for (const { runUuid } of runs.slice(0, 2))
    await recordTests(platform.services.db, [{ runId: runUuid, tests: names.map((name) => ({ name, ...captured })) }])

  const pages: string[][] = []
  let token = ''
  do {
    const query = `page_size=1000${token && `&page_token=${encodeURIComponent(token)}`}`
    const { json } = await platform.request('GET', `/runs/${runRequestId}/tests?${query}`)
    pages.push(json.tests.map(({ id }: { id: string }) => id))
    token = json.nextPageToken ?? ''
  } while (token)
  expect(pages.map((page) => page.length)).toEqual([127, 127, 46])
  expect(new Set(pages.flat()).size).toBe(300)
  const { json: whole } = await platform.request('GET', `/runs/${runRequestId}/tests?page_size=1000&omit_tails=true`)
  expect(whole.nextPageToken).toBeUndefined()
  expect(whole.tests).toHaveLength(300)
})

test('a composite id lists the tests of that run only, page by page', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('paged') })
  const { runRequestId } = (await platform.request('POST', '/experiments/paged/runs')).json
  const { runs } = (await platform.request('GET', `/runs?run_request_id=${runRequestId}`)).json
  const captured = { outcome: 'passed', exitCode: 0, durationMs: 2, stdoutTail: '', stderrTail: '' } as const
  for (const { runUuid } of runs.slice(0, 2))
    await recordTests(platform.services.db, [
      { runId: runUuid, tests: ['a', 'b', 'c'].map((name) => ({ name, ...captured })) },
    ])
  const list = async (query: string) =>
    (await platform.request('GET', `/runs/${encodeURIComponent(runs[0].id)}/tests?${query}`)).json
  const first = await list('page_size=2')
  const second = await list(`page_size=2&page_token=${encodeURIComponent(first.nextPageToken)}`)
  const shown = [...first.tests, ...second.tests]
  expect(shown.map(({ runId, runUuid, testName }) => [runId, runUuid, testName])).toEqual(
    ['a', 'b', 'c'].map((name) => [runs[0].id, runs[0].runUuid, name]),
  )
  expect(new Set(shown.map(({ id }) => id)).size).toBe(3)
  const { json } = await platform.request('GET', `/runs/${encodeURIComponent(shown[0].runId)}`)
  expect(json.run).toMatchObject({ id: runs[0].id, runId: runs[0].id, runUuid: runs[0].runUuid })
  expect(second.nextPageToken).toBeUndefined()
  for (const query of ['page_size=0', 'page_size=1001', 'page_token=nonsense'])
    expect((await list(query)).error).toBe('invalid_argument')
})
