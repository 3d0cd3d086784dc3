import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const strangers = await addOrganization(services.db)
  for (const [organizationId, experimentId] of [
    [organization.id, 'e'],
    [organization.id, 'other'],
    [strangers, 'secret'],
  ] as const) {
    await addVersion(services.db, { organizationId, experimentId, ordinal: 1 })
    await addFinishedRun(services.db, { organizationId, experimentId, outcomes: {} })
  }
  for (const id of [organization.id, strangers]) await projectRuns(services, id)
})
afterAll(() => platform.close())

const file = (query: Record<string, string>) =>
  platform.request('GET', `/query/file?${new URLSearchParams(query).toString()}`)

test('a file has the rows of the caller’s organization, or of one experiment, and says how many', async () => {
  const sql = 'SELECT experiment_id FROM runs ORDER BY 1'
  const all = await file({ sql })
  expect([all.status, all.text]).toEqual([200, 'experiment_id\r\ne\r\nother\r\n'])
  expect(all.headers).toMatchObject({
    'content-type': 'text/csv',
    'x-total-count': '2',
    'content-disposition': 'attachment; filename="query.csv"',
  })
  expect((await file({ sql, experiment_id: 'other', format: 'ndjson' })).text).toBe('{"experiment_id":"other"}\n')
  expect((await file({ sql, experiment_id: 'secret' })).status).toBe(404)
})

test('Parquet keeps numbers, booleans, dates and instants, and has everything else as text', async () => {
  const sql = `SELECT 7 AS small, toInt64(-9007199254740993) AS large, count() AS n, 0.5 AS half, true AS yes,
    toDate('2026-11-28') AS day, toDateTime64('2026-11-28 01:02:03.123456', 6, 'UTC') AS at, [1, 2] AS list,
    toDecimal64(1.5, 2) AS price, NULL AS nothing, toUInt256(1) AS wide, nan AS unknown FROM runs`
  const { bytes } = await file({ sql, format: 'parquet' })
  const [row] = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
  expect(row).toEqual({
    small: 7,
    large: -9007199254740993n,
    n: 2n,
    half: 0.5,
    yes: true,
    day: new Date('2026-11-28'),
    at: new Date('2026-11-28T01:02:03.123Z'),
    list: '[1,2]',
    price: '1.5',
    nothing: null,
    wide: '1',
    unknown: NaN,
  })
})

test('a file of the most rows arrives whole in every format, in the order of the result', async () => {
  const sql = 'SELECT number, toString(number) AS text FROM numbers(10000)'
  const { bytes } = await file({ sql, format: 'parquet' })
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
  expect([rows.length, rows.at(-1)]).toEqual([10_000, { number: 9999n, text: '9999' }])
  expect((await file({ sql })).text.trimEnd().split('\r\n').at(-1)).toBe('9999,9999')
  expect((await file({ sql, format: 'ndjson' })).text.split('\n')).toHaveLength(10_001)
})

test('a result with more rows is refused, because a file cannot say that some are missing, unless the caller cut it', async () => {
  const sql = 'SELECT number FROM numbers(10001)'
  const { status, json } = await file({ sql })
  expect([status, json.error, json.message]).toEqual([
    400,
    'invalid_argument',
    'The result has more than 10,000 rows. Select fewer, or send `limit` to get only the first',
  ])
  expect((await file({ sql, limit: '2' })).text).toBe('number\r\n0\r\n1\r\n')
})

test.each([
  [{}, 'sql'],
  [{ sql: 'SELECT 1', format: 'xlsx' }, 'format'],
  [{ sql: 'SELECT 1', limit: '10001' }, 'limit'],
  [{ sql: "SELECT 1 INTO OUTFILE 'a'" }, 'INTO'],
  [{ sql: 'SELECT * FROM system.tables' }, 'system'],
  [{ sql: 'SELECT 1 AS a, agent AS a FROM runs' }, 'a'],
])('400 invalid_argument for %o', async (query, named) => {
  const { status, json } = await file(query)
  expect([status, json.error, json.message]).toEqual([400, 'invalid_argument', expect.stringContaining(named)])
})
