import { afterAll, beforeAll, expect, test } from 'vitest'

import { chartReference } from '#contract/chart-kinds.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let person: string
const ids: string[] = []
const platform = await openTestPlatform()
beforeAll(async () => {
  const organizationId = platform.organization.id
  await addVersion(platform.services.db, { organizationId, experimentId: 'e', ordinal: 1 })
  person = (await platform.request('GET', '/whoami')).json.actor.id
  for (const outcome of ['failed', 'failed', 'passed'] as const) {
    const run = { organizationId, experimentId: 'e', triggeredBy: person, outcomes: { suite: outcome } }
    ids.push(await addFinishedRun(platform.services.db, run))
  }
  await projectRuns(platform.services, organizationId)
})
afterAll(() => platform.close())

const add = async (place: number, body: object) =>
  (await platform.request('POST', `/runs/a::${ids[place]}/labels`, { body })).json.id
const query = async (sql: string) => {
  await projectRuns(platform.services, platform.organization.id)
  const { status, json } = await platform.request('POST', '/experiments/e/query', { body: { sql } })
  expect(status, JSON.stringify(json)).toBe(200)
  return json.rows as unknown[][]
}

test('labels are rows in SQL until they are deleted, and another label takes their place', async () => {
  const tag = await add(0, { kind: 'tag', text: 'wrong api' })
  await add(0, { kind: 'note', text: 'See the suite', testName: 'suite' })
  await add(1, { kind: 'dispute', claimedOutcome: 'solved', text: 'It works' })
  const all = 'SELECT kind, text, claimed_outcome, test_name FROM labels ORDER BY kind'
  expect(await query(all)).toEqual([
    ['dispute', 'It works', 'solved', null],
    ['note', 'See the suite', null, 'suite'],
    ['tag', 'wrong api', null, null],
  ])
  await platform.request('DELETE', `/runs/a::${ids[0]}/labels/${tag}`)
  expect(await query(`SELECT text FROM labels WHERE kind != 'dispute'`)).toEqual([['See the suite']])
  await add(0, { kind: 'tag', text: 'late' })
  expect(await query('SELECT count() AS n FROM labels')).toEqual([[3]])
})

test('a chart by tags counts a run with two tags once, in the group of both', async () => {
  await add(0, { kind: 'tag', text: 'unclear' })
  await add(2, { kind: 'tag', text: 'late' })
  expect(await query('SELECT tags, solved FROM runs ORDER BY length(tags)')).toEqual([
    [[], false],
    [['late'], true],
    [['late', 'unclear'], false],
  ])
  const path = `/insights/${encodeURIComponent(chartReference('e', 'leaderboard'))}/execute`
  const { json } = await platform.request('POST', path, { body: { parameters: { group_by: 'tags' } } })
  const { groups } = JSON.parse(json.chartDataJson)
  expect(groups.map(({ group, runs }: { group: string; runs: number }) => [group, runs]).toSorted()).toEqual([
    ['', 1],
    ['late + unclear', 1],
    ['late', 1],
  ])
})

test('a disputed outcome changes no rate', async () => {
  expect(await query('SELECT countIf(solved) AS solved, count() AS runs FROM runs')).toEqual([[1, 3]])
})
