import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Outcome } from '#contract/outcomes.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let triggeredBy: string
let outsider: string

const addRun = (experimentId: string, outcomes: Record<string, Outcome>, facts: { status?: 'running' } = {}) =>
  addFinishedRun(platform.services.db, {
    organizationId: platform.organization.id,
    experimentId,
    triggeredBy,
    outcomes,
    ...facts,
  })

const get = (path: string) => platform.request('GET', path)

const platform = await openTestPlatform()
beforeAll(async () => {
  triggeredBy = (await get('/whoami')).json.actor.id
  for (const experimentId of ['alpha', 'beta'])
    await addVersion(platform.services.db, { organizationId: platform.organization.id, experimentId, ordinal: 1 })
  await addRun('alpha', { one: 'passed', two: 'failed', three: 'skipped' })
  await addRun('alpha', {})
  await addRun('beta', { one: 'passed' })
  await addRun('beta', { one: 'passed' }, { status: 'running' })
  await createOrganization(platform.services, { slug: 'other' })
  outsider = await platform.newKey({ email: 'other@lab.example', organizations: ['other'] })
}, 60_000)
afterAll(() => platform.close())

test('results are the ended runs, with their outcomes and a pass rate that is null rather than a false zero', async () => {
  const { status, json } = await get('/results?experiment_id=alpha')
  expect(status).toBe(200)
  const rates = json.results.map((result: { passRate: number | null }) => result.passRate)
  expect(new Set(rates)).toEqual(new Set([0.5, null]))
  expect((await get('/results')).json.results).toHaveLength(3)
})

test('pages of results neither repeat nor skip one', async () => {
  const whole = (await get('/results')).json.results
  const first = (await get('/results?limit=2')).json
  const rest = (await get(`/results?limit=2&page_token=${encodeURIComponent(first.nextPageToken)}`)).json
  expect([...first.results, ...rest.results]).toEqual(whole)
  expect(rest.nextPageToken).toBeUndefined()
})

test('one result has the outcome of each of its tests', async () => {
  const { results } = (await get('/results?experiment_id=alpha')).json
  const { id } = results.find((result: { passRate: number | null }) => result.passRate !== null)
  const { json } = await get(`/results/${encodeURIComponent(id)}`)
  expect(
    json.tests.map((captured: { testName: string; outcome: string }) => [captured.testName, captured.outcome]),
  ).toEqual([
    ['one', 'passed'],
    ['two', 'failed'],
    ['three', 'skipped'],
  ])
})

test('404 not_found for a run that has not ended, a request, an unknown id and another organization’s result', async () => {
  const { runs } = (await get('/runs?status=running')).json
  const [{ id: finished }] = (await get('/results')).json.results
  for (const id of [runs[0].id, runs[0].runRequestId, 'a::0000000000000000']) {
    const { status, json } = await get(`/results/${encodeURIComponent(id)}`)
    expect([status, json.error]).toEqual([404, 'not_found'])
  }
  const foreign = await platform.request('GET', `/results/${encodeURIComponent(finished)}`, { key: outsider })
  expect(foreign.status).toBe(404)
  expect((await platform.request('GET', '/results', { key: outsider })).json.results).toEqual([])
})

test('400 invalid_argument for an invalid limit or page token of the legacy results', async () => {
  for (const query of ['limit=0', 'limit=10001', 'page_token=nonsense'])
    expect([query, (await get(`/results?${query}`)).json.error]).toEqual([query, 'invalid_argument'])
})

test('legacy routes are read-only: every write is 405 and names the allowed methods', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    for (const path of ['/results', '/results/x']) {
      const { status, headers } = await platform.request(method, path)
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    }
})

test('every answer of a legacy route names its deprecation and its successor, and so does OpenAPI', async () => {
  const list = await get('/results')
  expect(list.headers).toMatchObject({ deprecation: '@1795132800', link: '</api/v1/runs>; rel="successor-version"' })
  const missing = await get(`/results/${encodeURIComponent('a::1')}`)
  expect(missing.headers['link']).toBe('</api/v1/runs/a%3A%3A1>; rel="successor-version"')
  expect((await get('/runs')).headers['deprecation']).toBeUndefined()
  const { paths } = (await get('/openapi.json')).json
  expect([
    paths['/results'].get.deprecated,
    paths['/results/{id}'].get.deprecated,
    paths['/runs'].get.deprecated,
  ]).toEqual([true, true, undefined])
})
