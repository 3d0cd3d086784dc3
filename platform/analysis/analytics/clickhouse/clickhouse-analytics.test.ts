import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { RefusedRows } from '#platform/ground/services/analytics.ts'
import { schemaVersion } from '#platform/analysis/analytics/create-tables.ts'
import { installationKeys } from '#platform/ground/installation-keys/installation-keys.ts'
import { insertOurs, insertTheirs, ours, theirs } from '#platform/program/testing/hostile-sql/two-organizations.ts'
import { startClickhouseServer } from '#platform/program/testing/clickhouse-server.ts'
import { clickhouseAnalytics } from './clickhouse-analytics.ts'
import { analyticsTableNames } from '#contract/sql-tables.ts'
import { openServer } from './server.ts'

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
const server = await startClickhouseServer()
const masters = [randomBytes(32)]
const open = (keys = installationKeys(masters)) =>
  clickhouseAnalytics({ url: server.url, credentials: server.credentials, cluster: null, keys })
const analytics = open()
const admin = openServer(server)

beforeAll(async () => {
  await insertOurs(analytics)
  await insertTheirs(analytics, theirs.organizationId)
})
afterAll(async () => {
  await Promise.all([analytics.close(), admin.close()])
  await server.remove()
  logged.mockRestore()
})

const read = (sql: string, organizationId = ours.organizationId, by = analytics) =>
  by.withReader(organizationId, (read) => read(sql))
const everything = 'SELECT uniqExact(organization_id), count() FROM session_data_v1.runs FINAL'
const countOf = async (organizationId: string, by = analytics) =>
  by.query(organizationId, 'SELECT toUInt32(count()) AS runs FROM runs FINAL WHERE organization_id = {of:UUID}', {
    parameters: { of: organizationId },
  })

test('the ClickHouse server binds parameters instead of inserting their text', async () => {
  const parameters = { text: `a'b\\c"\n\t{x}\\'; DROP`, list: ["it's", '', 'a\\b,]\n'], none: [], number: 3 }
  const sql =
    'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Array(String)} AS none, {number:Int64} AS number'
  expect(await analytics.query(ours.organizationId, sql, { parameters })).toEqual([parameters])
})

test('a statement of an organization’s users reads only its own rows, whatever it requests', async () => {
  expect((await read(everything)).rows).toEqual([['1', '12']])
  expect((await read(everything, theirs.organizationId)).rows).toEqual([['1', '12']])
  expect((await read(everything, randomUUID())).rows).toEqual([['0', '0']])
  const parts = await read(
    "SELECT throwIf(organization_id = toUUID('" + theirs.organizationId + "')) FROM session_data_v1.runs",
  )
  expect(parts.rows).toHaveLength(12)
})

test('a user’s statement in ClickHouse cannot write, change a setting or read another table, and has no table by default', async () => {
  const attempts = [
    'CREATE TABLE nothing.x (a Int8) ENGINE = Memory',
    'DROP TABLE session_data_v1.turns',
    `DELETE FROM session_data_v1.runs WHERE 1`,
    "INSERT INTO session_data_v1.turns (text) VALUES ('x')",
    'SET max_threads = 8',
    'SELECT 1 SETTINGS max_execution_time = 100',
    'SELECT * FROM turns',
    'SELECT * FROM system.users',
    "SELECT * FROM url('http://127.0.0.1:1', 'CSV')",
    'GRANT SELECT ON *.* TO default',
  ]
  for (const sql of attempts) await expect(read(sql), sql).rejects.toThrow('DB::Exception')
  expect(await countOf(ours.organizationId)).toEqual([{ runs: 12 }])
})

test('many servers that create the same users at once create each once, and a new key gives users a new password', async () => {
  const organizationId = randomUUID()
  const before = server.accessStatements.length
  const others = [open(), open(), open()]
  await Promise.all(others.map((other) => read(everything, organizationId, other)))
  const created = new Set(server.accessStatements.slice(before).filter((sql) => sql.startsWith('CREATE USER')))
  expect(created.size).toBe(1)
  const rotated = open(installationKeys([randomBytes(32), ...masters]))
  expect((await read(everything, ours.organizationId, rotated)).rows).toEqual([['1', '12']])
  expect((await read(everything)).rows).toEqual([['1', '12']])
  await Promise.all([...others, rotated].map((other) => other.close()))
})

test('a failed statement leaves no rows, a long one ends at its deadline, and only a limited number may wait', async () => {
  await expect(read('SELECT throwIf(number = 200000) FROM numbers(300000)')).rejects.toThrow('throwIf')
  const brief = clickhouseAnalytics({ ...server, cluster: null, keys: installationKeys(masters), readSeconds: 1 })
  const endless = 'SELECT max(sipHash64(number)) FROM numbers(1000000000000)'
  await expect(read(endless, ours.organizationId, brief)).rejects.toMatchObject({ code: 'resource_exhausted' })
  await expect(brief.query(ours.organizationId, endless, { deadlineSeconds: 1 })).rejects.toMatchObject({
    code: 'unavailable',
  })
  const storm = Array.from({ length: 14 }, () => read('SELECT 1', ours.organizationId, brief))
  const ended = await Promise.allSettled(storm)
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  await brief.close()
})

test('rows that ClickHouse would refuse again are distinguished from a server that accepts none', async () => {
  const row = { run_id: randomUUID(), seq: 'no number' }
  await expect(analytics.insert(ours.organizationId, 'turns', [row])).rejects.toBeInstanceOf(RefusedRows)
  const unknown = clickhouseAnalytics({
    url: server.url,
    credentials: { username: 'nobody', password: '' },
    cluster: null,
    keys: installationKeys(masters),
  })
  const attempt = unknown.insert(ours.organizationId, 'turns', [{ seq: 1 }])
  await expect(attempt).rejects.toThrow('AUTHENTICATION_FAILED')
  await expect(attempt).rejects.not.toBeInstanceOf(RefusedRows)
  await unknown.close()
})

test('503 unavailable while the ClickHouse server is down, and queries work again once it is back', async () => {
  await server.stop()
  await expect(countOf(ours.organizationId)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(read('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(open().findOutdated()).rejects.toMatchObject({ code: 'unavailable' })
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('is unreachable: connect ECONNREFUSED'))
  await server.startAgain()
  expect(await countOf(ours.organizationId)).toEqual([{ runs: 12 }])
  expect((await read(everything)).rows).toEqual([['1', '12']])
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('is reachable again'))
})

test('clearing removes one organization’s rows, and the same rows can be inserted again', async () => {
  await analytics.clear(ours.organizationId)
  expect([await countOf(ours.organizationId), await countOf(theirs.organizationId)]).toEqual([
    [{ runs: 0 }],
    [{ runs: 12 }],
  ])
  await insertOurs(analytics)
  expect(await countOf(ours.organizationId)).toEqual([{ runs: 12 }])
})

const query = (sql: string) => admin.query({ sql, seconds: 30 })

test('tables of an older schema are set aside once, and each organization waits only for its own reindex', async () => {
  for (const table of analyticsTableNames)
    await query(`ALTER TABLE session_data_v1.${table} RENAME COLUMN schema_v${schemaVersion} TO schema_v1`)
  const older = { organization_id: ours.organizationId, run_id: randomUUID() }
  const tooNew = analytics.insert(ours.organizationId, 'runs', [older])
  await expect(tooNew).rejects.toThrow('NO_SUCH_COLUMN')
  await expect(tooNew).rejects.not.toBeInstanceOf(RefusedRows)

  const [first, second] = [open(), open()]
  const outdated = await Promise.all([first.findOutdated(), second.findOutdated()])
  expect(outdated.map((ids) => ids.toSorted())).toEqual([
    [ours.organizationId, theirs.organizationId],
    [ours.organizationId, theirs.organizationId],
  ])
  await expect(countOf(ours.organizationId, first)).rejects.toMatchObject({ code: 'unavailable' })
  await first.clear(ours.organizationId)
  await insertOurs(first)
  expect(await countOf(ours.organizationId, second)).toEqual([{ runs: 12 }])
  expect((await read(everything, ours.organizationId, second)).rows).toEqual([['1', '12']])
  await expect(read('SELECT 1', theirs.organizationId, second)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await second.findOutdated()).toEqual([theirs.organizationId])
  await Promise.all([first.close(), second.close()])
})

test('a platform older than the tables does not change them', async () => {
  for (const table of analyticsTableNames)
    await query(
      `ALTER TABLE session_data_v1.${table} RENAME COLUMN schema_v${schemaVersion} TO schema_v${schemaVersion + 1}`,
    )
  const old = open()
  await expect(countOf(ours.organizationId, old)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(insertOurs(old)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await query('SELECT toUInt32(count()) AS runs FROM session_data_v1.runs FINAL')).toBe('{"runs":12}\n')
  await old.close()
})
