import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
  await platform.request('POST', '/experiments', { yaml: twoByTwo() })
})
afterAll(() => platform.close())

const submit = (origin?: object) =>
  platform.request('POST', '/experiments/two-by-two/runs', { body: { mock: true, ...(origin && { origin }) } })
const list = async (query = '') =>
  (await platform.request('GET', `/experiments/two-by-two/requests-of-commits${query}`)).json

test('a request keeps its commit, branch and pull request, and lists select by them', async () => {
  await submit()
  const main = { commit: 'a'.repeat(40), branch: 'main' }
  const change = { commit: 'b'.repeat(40), branch: 'faster', pullRequest: 17 }
  const first = (await submit(main)).json
  const second = (await submit(change)).json
  expect((await platform.request('GET', `/runs/${second.runRequestId}`)).json.runRequest.origin).toEqual(change)
  expect((await list()).requests).toMatchObject([
    { id: second.runRequestId, origin: change, runCount: 4, endedCount: 0, solved: { solved: 0, runs: 0 } },
    { id: first.runRequestId, origin: main },
  ])
  expect((await list('?branch=main')).requests.map(({ id }: { id: string }) => id)).toEqual([first.runRequestId])
  expect((await list(`?commit=${change.commit}&limit=1`)).requests).toHaveLength(1)
})

test('400 invalid_argument for a commit that is no hash, and 404 not_found for an unknown experiment', async () => {
  for (const origin of [{}, { commit: '../x' }, { commit: 'a'.repeat(40), pullRequest: 0 }])
    expect((await submit(origin)).json.error).toBe('invalid_argument')
  const { status } = await platform.request('GET', '/experiments/nothing/requests-of-commits')
  expect(status).toBe(404)
})

test('a commit has the solved runs among those that ended and count, as charts count them', async () => {
  const { runRequestId } = (await submit({ commit: 'c'.repeat(40) })).json
  const { db } = platform.services
  const mine = await db.select().from(runs).where(eq(runs.requestId, runRequestId))
  const endings = [
    { status: 'completed' as const, testsPassed: 1 },
    { status: 'completed' as const, testsPassed: 1, testsFailed: 1 },
    { status: 'completed' as const, testsPassed: 1, testAware: true },
    { status: 'errored' as const, infrastructureCause: 'sandbox' as const },
  ]
  for (const [index, ending] of endings.entries())
    await db
      .update(runs)
      .set({ ...ending, endedAt: '2026-11-28T00:00:00.000000Z' })
      .where(eq(runs.id, mine[index]?.id ?? ''))
  const [request] = (await list(`?commit=${'c'.repeat(40)}`)).requests
  expect(request).toMatchObject({ endedCount: 4, solved: { solved: 1, runs: 2 } })
})
