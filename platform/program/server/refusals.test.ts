import { afterAll, describe, expect, test } from 'vitest'

import { allEndpoints } from '#contract/all-endpoints.ts'
import { toSnakeCase } from '#platform/ground/http/sent-path.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
await platform.request('POST', '/experiments', { yaml: twoByTwo('known') })
afterAll(() => platform.close())

const validatorWording =
  /Invalid (input|option|string|key|value)|: expected|, received|Too (big|small)|Unrecognized|>=|<=/
const oddValues = [true, -1.5, 'x'.repeat(3000), [[]], [{}], { 'no such': 1 }]

describe('refusals are sentences', () => {
  test.each([
    ['a missing field', 'POST', '/reports', {}, '`title` is required'],
    ['null for a required field', 'POST', '/reports', { title: null }, '`title` is required'],
    ['a limit above the maximum', 'GET', '/runs?limit=20000', undefined, '`limit` must be 10,000 or less'],
    ['a word for a limit', 'GET', '/runs?limit=many', undefined, '`limit` must be a whole number'],
    ['a limit under its alias', 'GET', '/insights?page_size=0', undefined, '`page_size` must be 1 or more'],
    ['an invalid flag', 'GET', '/runs?test_aware=maybe', undefined, '`test_aware` must be true or false'],
    [
      'an invalid choice',
      'POST',
      '/insights/x/execute',
      { result_view: 'all' },
      '`result_view` must be one of summary, points, runs',
    ],
    [
      'an invalid field in a list',
      'POST',
      '/experiments/known/resources',
      {
        resources: [
          { title: 'a', url: 'http://a' },
          { title: 'b', url: 'ftp://b' },
        ],
      },
      '`resources[1].url` must be an http or https URL',
    ],
    [
      'a missing field sent under an alias',
      'POST',
      '/experiments/known/query',
      { save: {} },
      '`save.heading` is required',
    ],
    [
      'an unknown chart parameter',
      'POST',
      `/insights/${encodeURIComponent('chart:known:tests')}/execute`,
      { parameters: { colour: 'red' } },
      '`parameters.colour` is not a known field',
    ],
    ['a body that is not an object', 'POST', '/reports', [1], 'The body must be an object'],
  ] as const)('%s is refused with a sentence that uses the client’s names', async (_, method, path, body, sentence) => {
    const { status, json } = await platform.request(method, path, body === undefined ? {} : { body })
    expect([status, json.error, json.message]).toEqual([400, 'invalid_argument', sentence])
  })

  test('a fault has a machine-readable path and a message that continues the field’s name', async () => {
    const { json } = await platform.request('POST', '/reports', { body: { body_markdown: 1 } })
    expect(json.issues).toEqual([
      { path: 'title', message: 'is required' },
      { path: 'bodyMarkdown', message: 'must be text' },
    ])
    expect(json.message).toBe('`title` is required; `body_markdown` must be text')
  })

  test('no route answers generated bad input with the validator’s own message or as internal', async () => {
    for (const { method, path, query, body } of allEndpoints) {
      const url = path.replace('/experiments/:id', '/experiments/known').replaceAll(/:\w+/g, 'x')
      const ask = async (search: string, sent?: unknown) => {
        const { status, text } = await platform.request(method, url + search, sent === undefined ? {} : { body: sent })
        expect([method, url, status < 500 || status === 503, text]).toEqual([method, url, true, text])
        if (status >= 400) expect(`${method} ${url} ${text}`).not.toMatch(validatorWording)
      }
      for (const field of Object.keys(query.shape)) await ask(`?${toSnakeCase(field)}=%20odd%20`)
      // The engine writes the error messages for SQL.
      const fields = Object.keys(body.shape).filter((field) => field !== 'sql')
      for (const field of fields) for (const value of oddValues) await ask('', { [field]: value })
    }
  }, 120_000)
})

describe('null for an optional field of a body means absent', () => {
  test('null for an optional field means absent on a report, a submission, a fork, a query and an insight', async () => {
    const send = async (path: string, body: object) => (await platform.request('POST', path, { body })).status
    expect(await send('/reports', { title: 'Null', description: null, body_markdown: null })).toBe(200)
    const selectors = { version: null, repeat: null, variantIds: null, agents: null, flags: null }
    expect(await send('/experiments/known/runs', { mock: true, ...selectors })).toBe(202)
    expect(await send('/experiments/known/fork', { newExperimentId: null, newName: null })).toBe(201)
    expect(
      await send('/experiments/known/query', { metrics: null, groupBy: null, limit: null, saveInsight: null }),
    ).toBe(200)
    const insight = {
      heading: 'Null',
      sql: 'SELECT 1',
      provenance: { kind: 'experiment', experimentId: 'known', runId: null },
    }
    expect(await send('/insights', { ...insight, slug: null, labels: null, presentation: null })).toBe(200)
  })

  test('a patch with only nulls changes nothing and says so', async () => {
    const { json } = await platform.request('POST', '/reports', { body: { title: 'Kept', description: 'Kept too' } })
    const { id, updatedAt } = json.report
    const body = { expectedUpdatedAt: updatedAt, title: null, description: null }
    expect((await platform.request('PATCH', `/reports/${id}`, { body })).status).toBe(400)
    expect((await platform.request('GET', `/reports/${id}`)).json.report).toMatchObject({ title: 'Kept', updatedAt })
  })

  test('null as a list item is rejected', async () => {
    const { status, json } = await platform.request('POST', '/experiments/known/runs', { body: { agents: [null] } })
    expect([status, json.message]).toEqual([400, '`agents[0]` must be text'])
  })
})
