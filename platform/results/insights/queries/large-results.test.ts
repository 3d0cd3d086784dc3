import { gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { QueryResult } from '#contract/queries.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

let platform: TestPlatform
beforeAll(async () => {
  // Time enough that the size of a result is the first limit it meets, also on a busy machine.
  platform = await openTestPlatform({ openEngine: () => openTestAnalytics({ readSeconds: 120 }) })
  const key = { organizationId: platform.organization.id, experimentId: 'e' }
  const fingerprint = await addVersion(platform.services.db, { ...key, ordinal: 1 })
  await addFinishedRun(platform.services.db, { ...key, fingerprint, outcomes: { one: 'passed' } })
  await projectRuns(platform.services, platform.organization.id)
})
afterAll(() => platform.close())

const query = (sql: string, more: object = {}) =>
  platform.request('POST', '/experiments/e/query', { body: { sql, limit: 10_000, ...more } })

const tooLarge = [
  ['arrays', 'SELECT range(toUInt64(1000000)) FROM numbers(3)', 'The result is larger than 16 MB'],
  ['a text', "SELECT repeat(repeat('x', 1000), 100000)", 'The result is larger than 16 MB'],
  [
    'arrays of arrays',
    'SELECT arrayMap(x -> range(x), range(1000)) FROM numbers(10)',
    'The result is larger than 16 MB',
  ],
  [
    'everything in one list',
    'SELECT groupArray(arrayJoin(range(toUInt64(3000000))))',
    'The result is larger than 16 MB',
  ],
  ['maps', "SELECT map('k', range(toUInt64(500000))) FROM numbers(6)", 'The result is larger than 16 MB'],
  ['one text', "SELECT 1 AS one, repeat(repeat('x', 1000), 2000) AS big", 'Column "big" has a value of more than 1 MB'],
  ['one list', 'SELECT range(toUInt64(300000)) AS list', 'Column "list" has a value of more than 1 MB'],
  ['one tuple', "SELECT (1, [repeat('x', 1000000), repeat('y', 1000000)]) AS pair", 'Column "pair" has a value'],
  ['columns', `SELECT ${Array.from({ length: 1001 }, (_, at) => `1 AS c${at}`).join(', ')}`, 'more than 1,000 columns'],
] as const

test.each(tooLarge)('the engine refuses a result with too much in %s, with a message', async (_, sql, sentence) => {
  const { status, json } = await query(sql)
  expect([status, json.error, json.message]).toEqual([429, 'resource_exhausted', expect.stringContaining(sentence)])
})

test('an error that quotes a large value is truncated before it is sent', async () => {
  const { analytics } = platform.services
  const refused = analytics.withReader(platform.organization.id, (read) => read("SELECT toInt32(repeat('x', 1000000))"))
  const error: Error = await refused.then(
    () => new Error('nothing was refused'),
    (reason: Error) => reason,
  )
  expect(error.message).toContain('Cannot parse')
  expect(error.message.length).toBeLessThan(100_000)
})

test('10,000 rows of 100 columns arrive in full, uncompressed and compressed', async () => {
  const columns = Array.from({ length: 100 }, (_, at) => `number + ${at} AS c${at}`).join(', ')
  const sql = `SELECT ${columns} FROM numbers(10000)`
  const { status, json, headers, text } = await query(sql)
  expect([status, headers['content-length']]).toEqual([200, `${text.length}`])
  expect(QueryResult.parse({ ...json, rows: json.rows.slice(0, 10) })).toMatchObject({
    rowCount: 10_000,
    truncated: false,
    statistics: { rowsRead: 10_000 },
  })
  expect(json.rows).toHaveLength(10_000)
  expect(json.rows[9999]).toEqual(Array.from({ length: 100 }, (_, at) => 9999 + at))
  const packed = await platform.request('POST', '/experiments/e/query', {
    body: { sql, limit: 10_000 },
    headers: { 'accept-encoding': 'gzip' },
  })
  expect(packed.headers['content-encoding']).toBe('gzip')
  const unpacked = JSON.parse(gunzipSync(packed.bytes).toString())
  // As text, because comparing a million cells one by one takes seconds.
  const isSame = JSON.stringify([unpacked.columns, unpacked.rows]) === JSON.stringify([json.columns, json.rows])
  expect(isSame).toBe(true)
})

test('saved and published queries have the same limit', async () => {
  const sql = 'SELECT range(toUInt64(1000000)) FROM numbers(3)'
  const { json } = await platform.request('POST', '/insights', { body: { heading: 'Large', slug: 'large', sql } })
  const seen = await platform.request('GET', `/insights/${json.insight.id}?limit=10000`)
  expect([seen.status, seen.json.message]).toEqual([429, expect.stringContaining('larger than 16 MB')])
  const { url } = (await platform.request('POST', '/insights/large/share')).json
  expect((await platform.visit(new URL(url).pathname)).status).toBe(503)
})
