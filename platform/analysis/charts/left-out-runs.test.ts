import { afterAll, beforeAll, expect, test } from 'vitest'

import { countLeftOut, describeLeftOut, type InfrastructureCause, isLeftOut } from '#contract/infrastructure.ts'
import { countOutcomes, isSolved, type Outcome } from '#contract/outcomes.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { isLeftOut as isLeftOutInSql, isSolved as isSolvedInSql } from '#platform/ground/database/tables/solved-runs.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

type Facts = { status: string; cause: InfrastructureCause | null; outcomes: Record<string, Outcome>; image?: string }

const passes = { one: 'passed' } as const
const unresolved = { one: 'unresolved' } as const

/** Four runs count, two of them solved. */
const facts: Facts[] = [
  { status: 'completed', cause: null, outcomes: passes, image: 'a' },
  { status: 'completed', cause: null, outcomes: passes, image: 'b' },
  { status: 'completed', cause: null, outcomes: { one: 'failed' }, image: 'a' },
  { status: 'errored', cause: null, outcomes: unresolved },
  { status: 'errored', cause: 'image_pull', outcomes: unresolved },
  { status: 'errored', cause: 'image_pull', outcomes: {} },
  { status: 'errored', cause: 'worker_lost', outcomes: unresolved },
  { status: 'canceled', cause: null, outcomes: unresolved },
]
const leftOutRuns = { image_pull: 2, worker_lost: 1 }

const experimentId = 'e'

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, experimentId }
  const triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  const fingerprint = await addVersion(services.db, { ...shared, ordinal: 1 })
  for (const { status, cause, outcomes, image } of facts)
    await addFinishedRun(services.db, {
      ...shared,
      triggeredBy,
      fingerprint,
      environment: 'linux',
      status: status as 'completed',
      infrastructureCause: cause,
      imageDigest: image ? `sha256:${image.repeat(64)}` : null,
      costUsd: 1,
      outcomes,
    })
  await projectRuns(services, organization.id)
})
afterAll(() => platform.close())

const chartOf = async (kind: string) => {
  const path = `/insights/${encodeURIComponent(`chart:${experimentId}:${kind}`)}/execute`
  const { json } = await platform.request('POST', path, { body: { parameters: { group_by: 'agent' } } })
  return JSON.parse(json.chartDataJson)
}

test('PostgreSQL, the analytics engine and TypeScript agree which runs count and which are solved', async () => {
  const inDatabase = await platform.services.db
    .select({ run: runs, leftOut: isLeftOutInSql, solved: isSolvedInSql })
    .from(runs)
  for (const { run, leftOut, solved } of inDatabase) {
    const { testsPassed: passed, testsFailed: failed, testsUnresolved, testsErrored, testsSkipped } = run
    const counts = { passed, failed, unresolved: testsUnresolved, errored: testsErrored, skipped: testsSkipped }
    expect([leftOut, solved]).toEqual([isLeftOut(run), isSolved(run, counts)])
  }
  const sql =
    'SELECT count() AS runs, countIf(infrastructure_cause IS NULL) AS counted, count(solved) AS with_solved, countIf(solved) AS solved_runs FROM runs'
  const { json } = await platform.request('POST', `/experiments/${experimentId}/query`, { body: { sql } })
  const solved = facts.map(({ status, cause: infrastructureCause, outcomes }) =>
    isSolved({ status, infrastructureCause }, countOutcomes(Object.values(outcomes))),
  )
  const known = solved.filter((value) => value !== null)
  expect(json.rows).toEqual([[facts.length, facts.length - 3, known.length, known.filter(Boolean).length]])
  expect([known.length, known.filter(Boolean).length]).toEqual([4, 2])
})

test.each(['leaderboard', 'scatter', 'metric', 'tests'])(
  'the chart %s leaves out runs without evidence about their agent, says so by name and count, and names mixed images',
  async (kind) => {
    const data = await chartOf(kind)
    expect(data).toMatchObject({
      leftOutRuns,
      mixedImages: [{ environment: 'linux', digests: [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`] }],
      groups: [{ group: 'a', runs: 5 }],
    })
    if (kind === 'leaderboard')
      expect(data.groups[0]).toMatchObject({ leftOut: 3, prompts: { runs: [4], solved: [2] } })
  },
)

test('a modeled query leaves out runs without evidence about their agent, by run and by test, and says how many', async () => {
  const query = async (body: object) =>
    (await platform.request('POST', `/experiments/${experimentId}/query`, { body })).json
  const whole = await query({ metrics: ['testPassRate', 'cost', 'testsFailed'], groupBy: ['agent'] })
  expect(whole).toMatchObject({ rows: [['a', 0.4, 1, 0.2, 5]], leftOutRuns, excludedTestAwareRuns: 0 })
  const byTest = await query({ groupBy: ['test'], interval: 'runs' })
  expect(byTest).toMatchObject({ rows: [['one', 0.4, expect.any(Number), expect.any(Number), 5]], leftOutRuns })
  expect((await query({ sql: whole.compiledSql })).rows).toEqual(whole.rows)
  const discovered = await query({ discoverDimension: 'agent' })
  expect(discovered).toMatchObject({ discovered: { values: [{ value: 'a', runs: 5 }] }, leftOutRuns })
  expect(await query({ environments: ['elsewhere'] })).toMatchObject({ rows: [], leftOutRuns: {} })
  expect(await query({ sql: 'SELECT 1' })).not.toHaveProperty('leftOutRuns')
})

test('failures list runs that are left out separately from other errored runs', async () => {
  const { json } = await platform.request('GET', `/experiments/${experimentId}/failure-signatures`)
  const kinds = (json.signatures as { kind: string; runs: number }[]).map(({ kind, runs: count }) => [kind, count])
  expect(kinds).toContainEqual(['infrastructure', 3])
  expect(kinds).toContainEqual(['run_error', 1])
})

test('lists of runs select them by cause, and the experiment and its requests count them apart', async () => {
  const list = async (query: string) =>
    (await platform.request('GET', `/runs?infrastructure_cause=${query}`)).json.runs as {
      infrastructureCause: string
    }[]
  expect(await list('any')).toHaveLength(3)
  expect((await list('worker_lost')).map((run) => run.infrastructureCause)).toEqual(['worker_lost'])
  expect((await platform.request('GET', '/runs?infrastructure_cause=weather')).status).toBe(400)
  const { json } = await platform.request('GET', `/experiments/${experimentId}`)
  expect(json).toMatchObject({
    latestLeftOut: leftOutRuns,
    latestSolved: { solved: 2, runs: 4 },
    latestResultsFingerprint: json.fingerprint,
  })
  expect(json.latestOutcomes).toMatchObject({ passed: 2, failed: 1, unresolved: 2 })
})

test('the sentence names every cause with its count, the most frequent first', () => {
  expect(describeLeftOut(leftOutRuns)).toBe('3 runs left out: image pull failed (2), worker lost (1)')
  expect(describeLeftOut({ disk_full: 1 })).toBe('1 run left out: disk full (1)')
  expect([describeLeftOut({}), countLeftOut({})]).toEqual([null, 0])
})
