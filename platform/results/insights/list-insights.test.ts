import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { InsightList } from '#contract/insights.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sql = 'SELECT count() AS n FROM runs'
const runUuid = '01a1f9ba-f390-75df-8669-b25323993f48'
const runId = compositeRunId('a', runUuid)
const ofExperiment = { kind: 'experiment', experimentId: 'listed' }

let member: string
let memberId: string
const platform = await openTestPlatform()
beforeAll(async () => {
  member = await platform.newKey({ role: 'member', email: 'grace@lab.example' })
  memberId = (await platform.request('GET', '/whoami', { key: member })).json.actor.id
  await platform.request('POST', '/experiments', { yaml: twoByTwo('listed') })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('quiet') })
  await addFinishedRun(platform.services.db, {
    organizationId: platform.organization.id,
    experimentId: 'listed',
    id: runUuid,
    triggeredBy: memberId,
    outcomes: {},
  })
  await save({ heading: 'Costs', sql, labels: ['money', 'a, b'], description: '100% of spend' })
  await save({ heading: 'Rates', sql, provenance: ofExperiment, labels: ['quality'] }, member)
  await save({ heading: 'One run', sql, provenance: { kind: 'run', runId } })
  await save({ heading: 'Last', sql, provenance: ofExperiment })
})
afterAll(() => platform.close())

const save = (body: unknown, key?: string) => platform.request('POST', '/insights', { body, ...(key && { key }) })
const toQuery = (query: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
const list = async (query: Record<string, string | undefined> = {}): Promise<InsightList> =>
  (await platform.request('GET', `/insights?${toQuery(query)}`)).json
const headings = async (query: Record<string, string | undefined>) =>
  (await list(query)).insights.map(({ heading }) => heading)
const charts = ['Test results', 'Quality and efficiency', 'One metric']

test('a list without filters has every saved query, newest first, as metadata without SQL', async () => {
  const { insights, nextPageToken } = await list()
  expect(insights.map(({ heading }) => heading)).toEqual(['Last', 'One run', 'Rates', 'Costs'])
  expect(nextPageToken).toBeUndefined()
  expect(JSON.stringify(insights)).not.toContain('count()')
})

describe('insight filters', () => {
  test.each([
    ['the slug', { search: 'one-RUN' }, ['One run']],
    ['the heading', { search: 'rat' }, ['Rates']],
    ['the description, % taken literally', { search: '0% of' }, ['Costs']],
    ['the owner’s email', { search: 'GRACE@' }, ['Rates']],
    ['nothing else', { search: 'money' }, []],
    ['its alias query', { query: 'last' }, ['Last']],
    ['a label, commas and all', { label: 'a, b' }, ['Costs']],
    ['a label exactly', { label: 'qual' }, []],
    ['a run', { run: runId }, ['One run']],
    ['the alias run_id', { run_id: runId }, ['One run']],
    ['an unknown owner', { owner: 'nobody' }, []],
    ['an unknown experiment', { experiment: 'nobody' }, []],
    ['several at once', { experiment: 'listed', label: 'quality', search: 'rates' }, ['Rates']],
  ])('insights can be filtered by %s', async (_, query, expected) => {
    expect(await headings(query)).toEqual(expected)
  })

  test('insights can be filtered by owner, and by its alias owner_user_id', async () => {
    expect(await headings({ owner: memberId })).toEqual(['Rates'])
    expect(await headings({ owner_user_id: memberId })).toEqual(['Rates'])
  })

  test('the experiment filter lists exactly its three built-in charts, then the insights of the experiment and its runs', async () => {
    const { insights } = await list({ experiment_id: 'listed' })
    expect(insights.map(({ heading }) => heading)).toEqual([...charts, 'Last', 'One run', 'Rates'])
    expect(insights.filter(({ type }) => type === 'chart')).toMatchObject([
      { type: 'chart', reference: 'chart:listed:tests', chartKind: 'tests' },
      { type: 'chart', reference: 'chart:listed:scatter', chartKind: 'scatter' },
      { type: 'chart', reference: 'chart:listed:metric', chartKind: 'metric' },
    ])
    expect(await headings({ experiment: 'quiet' })).toEqual(charts)
    expect(await headings({ experiment: 'listed', search: 'METRIC' })).toEqual(['One metric'])
    expect(await headings({ experiment: 'listed', owner: memberId })).toEqual(['Rates'])
  })

  test('canChange says whether the caller may change the insight', async () => {
    const { json } = await platform.request('GET', '/insights', { key: member })
    const canChange = (json as InsightList).insights.map((insight) => insight.type === 'sql' && insight.canChange)
    expect(canChange).toEqual([false, false, true, false])
  })
})

describe('insight pages', () => {
  test.each([1, 2, 3, 4, 5])(
    'pages of %d never repeat or skip an insight, charts included, while others are created and deleted',
    async (limit) => {
      const seen: string[] = []
      let token: string | undefined
      for (let page = 0; page < 20; page += 1) {
        const { insights, nextPageToken } = await list({
          experiment: 'listed',
          page_size: String(limit),
          page_token: token,
        })
        expect(insights.length).toBeLessThanOrEqual(limit)
        seen.push(...insights.map(({ heading }) => heading))
        const { json } = await save({ heading: 'New while paging', sql, provenance: ofExperiment })
        await platform.request('DELETE', `/insights/${json.insight.id}`)
        if (page === 0) await save({ heading: 'Newer', slug: 'newer', force: true, sql, provenance: ofExperiment })
        if (!nextPageToken) break
        token = nextPageToken
      }
      await platform.request('DELETE', '/insights/newer')
      // An insight created meanwhile sorts before the saved ones: a client gets it once or not at all.
      expect(seen.filter((heading) => heading !== 'Newer')).toEqual([...charts, 'Last', 'One run', 'Rates'])
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  test('400 invalid_argument for a page_token from a list with other filters', async () => {
    const { nextPageToken } = await list({ experiment: 'listed', limit: '1' })
    expect((await list({ experiment: 'listed', limit: '2', page_token: nextPageToken })).insights).toHaveLength(2)
    for (const other of [{}, { experiment: 'quiet' }, { experiment: 'listed', search: 'rates' }]) {
      const query = toQuery({ ...other, page_token: nextPageToken })
      const { status, json } = await platform.request('GET', `/insights?${query}`)
      expect([status, json.error, json.message]).toEqual([400, 'invalid_argument', expect.stringContaining('filters')])
    }
  })

  test.each([{ limit: '0' }, { limit: '1001' }, { limit: 'x' }, { page_token: 'x' }, { page_token: 'WyJwaWUiXQ' }])(
    '400 invalid_argument for the insight list query %j',
    async (query) => {
      const { status, json } = await platform.request('GET', `/insights?${toQuery(query)}`)
      expect([status, json.error]).toEqual([400, 'invalid_argument'])
    },
  )
})

test('another organization sees none of the insights, nor the charts of the experiments', async () => {
  await createOrganization(platform.services, { slug: 'elsewhere' })
  const stranger = await platform.newKey({ organizations: ['elsewhere'] })
  for (const query of ['', '?experiment=listed', '?search=rates'])
    expect((await platform.request('GET', `/insights${query}`, { key: stranger })).json).toEqual({ insights: [] })
})
