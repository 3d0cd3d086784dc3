import { afterAll, expect, test } from 'vitest'

import type { HomeView } from '#contract/home.ts'
import type { Outcome } from '#contract/outcomes.ts'
import { completedRun } from '#platform/program/testing/completed-run.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import { getHome } from './get-home.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member' })
afterAll(() => platform.close())

const home = async (since?: string, key = platform.admin): Promise<HomeView> => {
  const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
  return (await platform.request('GET', `/home${query}`, { key })).json
}

async function submit(id: string, extra = '') {
  await platform.request('POST', '/experiments', { yaml: twoByTwo(id, extra) })
  const { json } = await platform.request('POST', `/experiments/${id}/runs`, { body: { mock: true } })
  return json.runRequestId as string
}

const worker = { workerId: 'w', leaseSeconds: 60 }

/** Ends up to `most` of the queued runs; `outcomeOf` decides their only test. */
async function finish(most: number, outcomeOf: (variantId: string) => Outcome) {
  const claimed = await claimRuns(platform.services.db, worker, most)
  for (const run of claimed) {
    const outcome = outcomeOf(run.variantId)
    const test = { name: 'works', outcome, exitCode: 0, durationMs: 1, stdoutTail: '', stderrTail: '' }
    const ending = { ...completedRun, tests: [test], timeBudgetSeconds: 10 }
    await settleRun(platform.services, { ...run, runId: run.id }, ending)
  }
}

test('an organization without runs has an empty Home without changes, and no demo', async () => {
  const view = await home()
  expect(view).toEqual({
    unfinished: [],
    latest: [],
    attention: { changedExperiments: [], erroredRequests: [], pendingSuggestions: [] },
  })
  expect(await home(undefined, member)).toEqual({
    unfinished: [],
    latest: [],
    attention: { changedExperiments: [], erroredRequests: [] },
  })
})

test('a request is unfinished until its last run ends, then it is a result with the solved runs of each group', async () => {
  const requestId = await submit('progress')
  expect((await home()).unfinished).toMatchObject([{ id: requestId, runCount: 4, finishedCount: 0, runningCount: 0 }])
  await finish(1, (variantId) => (variantId.startsWith('careful') ? 'passed' : 'failed'))
  const [request] = (await home()).unfinished
  expect(request).toMatchObject({ finishedCount: 1 })
  expect(request?.startedAt).toBeDefined()
  expect((await home()).latest).toEqual([])

  await finish(3, (variantId) => (variantId.startsWith('careful') ? 'passed' : 'failed'))
  const view = await home()
  expect(view.unfinished).toEqual([])
  const groups = [
    { group: 'careful', solved: 2, runs: 2 },
    { group: 'hasty', solved: 0, runs: 2 },
  ]
  expect(view.latest).toMatchObject([{ id: requestId, runCount: 4, solved: { solved: 2, runs: 4 }, groups }])
})

test('since a moment, Home lists finished requests, changed reports and tests that flipped in the newest version', async () => {
  await submit('flips')
  await finish(4, () => 'passed')
  const since = new Date().toISOString()
  const nothing = { finishedRequests: [], experiments: [], savedQueries: [], reports: [] }
  expect((await home(since)).changes).toEqual(nothing)

  const requestId = await submit('flips', 'description: The second version')
  const [broken = ''] = (await platform.request('GET', `/runs/${requestId}`)).json.runRequest.variantIds
  await finish(4, (variantId) => (variantId === broken ? 'failed' : 'passed'))
  await platform.request('POST', '/reports', { body: { title: 'Finding' } })
  const { changes } = await home(since)
  expect(changes).toMatchObject({
    finishedRequests: [{ id: requestId, ordinal: 2, solved: { solved: 3, runs: 4 } }],
    experiments: [
      {
        experimentId: 'flips',
        fromOrdinal: 1,
        toOrdinal: 2,
        flippedTests: [{ test: 'works', passes: false, mayBeChance: true, variantIds: [broken] }],
      },
    ],
    savedQueries: [],
    reports: [{ title: 'Finding' }],
  })

  const later = new Date().toISOString()
  expect((await home(later)).changes).toEqual(nothing)
  await submit('flips', 'description: The second version')
  await finish(4, (variantId) => (variantId === broken ? 'failed' : 'passed'))
  expect((await home(later)).changes).toMatchObject({ finishedRequests: [{ ordinal: 2 }], experiments: [] })
})

test('an unchanged Home is 304', async () => {
  const first = await platform.request('GET', '/home')
  const headers = { 'if-none-match': String(first.headers['etag']) }
  expect((await platform.request('GET', '/home', { headers })).status).toBe(304)
})

test('a since that is not a timestamp is refused', async () => {
  expect(await platform.request('GET', '/home?since=yesterday')).toMatchObject({
    status: 400,
    json: { error: 'invalid_argument' },
  })
})

test('Home names the tests that flipped in the newest versions, with both versions, on a first visit too', async () => {
  await submit('flips-at-once')
  await finish(4, () => 'passed')
  await submit('flips-at-once', 'description: The second version')
  await finish(4, () => 'failed')
  const { attention, changes } = await home()
  expect(changes).toBeUndefined()
  const changed = attention.changedExperiments.find(({ experimentId }) => experimentId === 'flips-at-once')
  expect(changed).toMatchObject({ fromOrdinal: 1, toOrdinal: 2, flippedTests: [{ test: 'works', passes: false }] })
  const { json } = await platform.request('GET', '/experiments/flips-at-once/versions')
  const fingerprints = json.versions.map(({ fingerprint }: { fingerprint: string }) => fingerprint)
  expect(fingerprints).toEqual([changed?.toVersion, changed?.fromVersion])
})

test('a request that ends while Home is read is either running or a result, because both lists are of one snapshot', async () => {
  const requestId = await submit('one-snapshot')
  const snapshots: unknown[] = []
  const db = new Proxy(platform.services.db, {
    get(target, name) {
      if (name === 'selectDistinct') throw new Error('unfinished requests are read outside of the snapshot')
      if (name !== 'transaction') return Reflect.get(target, name)
      return (...[read, config]: Parameters<typeof target.transaction>) => {
        snapshots.push(config?.isolationLevel)
        return target.transaction(read, config)
      }
    },
  })
  const organization = { ...platform.organization, name: 'Lab', role: 'member' as const }
  const view = await getHome({ ...platform.services, db, organization }, {})
  expect(view.unfinished).toMatchObject([{ id: requestId }])
  expect(snapshots).toEqual(['repeatable read'])
})
