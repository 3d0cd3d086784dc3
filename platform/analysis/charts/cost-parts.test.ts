import { afterAll, beforeAll, expect, test } from 'vitest'

import type { LeaderboardGroup } from '#contract/leaderboard.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { recordPastUsage } from '#platform/inputs/credits/record-usage.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const experimentId = 'e'
const runRate = 10_000
/** The second run has no row in the ledger, as imported runs. */
const facts = [
  { agent: 'a', costUsd: 0.5, seconds: 20 },
  { agent: 'a', costUsd: 0.25, seconds: null },
  { agent: 'b', costUsd: null, seconds: 10.00001 },
]

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
  const fingerprint = await addVersion(services.db, { organizationId: organization.id, experimentId, ordinal: 1 })
  for (const { agent, costUsd, seconds } of facts) {
    const runId = await addFinishedRun(services.db, {
      organizationId: organization.id,
      experimentId,
      triggeredBy,
      fingerprint,
      agent,
      variantId: agent,
      costUsd,
      endedAt: new Date().toISOString(),
      outcomes: { works: 'passed' },
    })
    if (seconds !== null)
      await recordPastUsage(services.db, { organizationId: organization.id, runRate, usages: [{ runId, seconds }] })
  }
  await projectRuns(services, organization.id)
})
afterAll(() => platform.close())

test('what compute costs is the same in the list of runs, on the page of a run and in SQL, and unknown without a row in the ledger', async () => {
  const { json } = await platform.request('GET', `/runs?experiment_id=${experimentId}`)
  type Listed = { id: string; agent: string; costUsd: number | null; computeUsd?: number }
  const amounts = (json.runs as Listed[]).map(({ costUsd, computeUsd }) => [costUsd, computeUsd])
  expect(new Set(amounts.map(String))).toEqual(new Set(['0.5,0.2', '0.25,', ',0.100001']))
  for (const { id, computeUsd } of json.runs as Listed[]) {
    const { json: one } = await platform.request('GET', `/runs/${encodeURIComponent(id)}`)
    expect(one.run.computeUsd).toBe(computeUsd)
  }
  const sql = 'SELECT agent, cost_usd, compute_usd FROM runs ORDER BY agent, compute_usd NULLS LAST'
  const { json: rows } = await platform.request('POST', `/experiments/${experimentId}/query`, { body: { sql } })
  expect(rows.rows.map(Object.values)).toEqual([
    ['a', 0.5, 0.2],
    ['a', 0.25, null],
    ['b', null, 0.100001],
  ])
})

test('a leaderboard has the compute of each group beside its models', async () => {
  const path = `/insights/${encodeURIComponent(`chart:${experimentId}:leaderboard`)}/execute`
  const { json } = await platform.request('POST', path, { body: { parameters: { group_by: 'agent' } } })
  const { groups } = JSON.parse(json.chartDataJson) as { groups: LeaderboardGroup[] }
  expect(groups.map(({ group, compute, costUsd }) => [group, compute, costUsd.mean])).toEqual([
    ['a', { usd: 0.2, runs: 1 }, 0.375],
    ['b', { usd: 0.100001, runs: 1 }, null],
  ])
})

test('the spend of the cycle is the sum of compute and models, and says both', async () => {
  const { json } = await platform.request('GET', '/credits/spend?group_by=experiment')
  expect(json).toMatchObject({
    totalManagedSpendMicros: '800001',
    totalComputeMicros: '300001',
    totalModelMicros: '500000',
    series: [{ managedSpendMicros: '800001', computeMicros: '300001', modelMicros: '500000' }],
  })
})
