import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { startServerEngine } from '#platform/program/testing/clickhouse-server-process.ts'
import {
  passwordStatement,
  platformPolicyStatements,
  profileStatements,
  usernameOf,
  userStatements,
} from './access-statements.ts'
import {
  createStatements,
  deleteStatements,
  dropDistributedStatement,
  type Layout,
  setAsideStatement,
  quoteText,
} from './layout.ts'
import { hidesRowsFromIndexes } from './server-version.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-statements-'))
const engine = await startServerEngine({ folder, configFile: null })
afterAll(async () => {
  await engine.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The statement in one line, as the engine formats it. Throws when its parser refuses it. */
const format = async (sql: string) =>
  (
    await engine.perform({
      sql: `SELECT formatQuerySingleLine(${quoteText(sql)})`,
      format: 'TSVRaw',
      database: null,
      settings: {},
      parameters: {},
    })
  ).trim()

const organizationId = '00000000-0000-4000-8000-0000000000a1'
const credentials = { username: usernameOf(organizationId), password: 'p' }
const one: Layout = { cluster: null }
const many: Layout = { cluster: 'the-cluster' }

const statementsOf = (layout: Layout) => [
  ...createStatements(layout),
  ...profileStatements(layout, 20),
  ...platformPolicyStatements(layout, "o'neil`s"),
  ...userStatements(layout, organizationId, credentials),
  passwordStatement(layout, credentials),
  setAsideStatement(layout),
  dropDistributedStatement(layout),
  ...deleteStatements(layout, 'session_data_v1', organizationId),
]

test('the engine’s parser accepts every statement, and in a cluster each runs on every server', async () => {
  const formatted = await Promise.all(statementsOf(one).map(format))
  expect(formatted.filter((sql) => sql.includes('ON CLUSTER'))).toEqual([])
  for (const sql of statementsOf(many)) expect(await format(sql)).toMatch(/ON CLUSTER `the-cluster`/)
})

test('in a cluster rows are replicated, a run’s rows share one shard, and session_data_v1 reads all shards', async () => {
  const formatted = await Promise.all(createStatements(many).map(format))
  expect(formatted.filter((sql) => sql.includes('CREATE DATABASE'))).toHaveLength(3)
  for (const table of ['runs', 'tests', 'turns', 'spans', 'failures', 'outputs', 'labels', 'scores']) {
    const ofTable = formatted.filter((sql) => sql.includes(`.${table} ON CLUSTER`))
    expect(ofTable).toEqual([
      expect.stringMatching(
        new RegExp(`EXISTS session_data_v1_local\\.${table} .* ENGINE = ReplicatedReplacingMergeTree ORDER BY`),
      ),
      `CREATE TABLE IF NOT EXISTS session_data_v1.${table} ON CLUSTER \`the-cluster\` AS session_data_v1_local.${table} ENGINE = Distributed(\`the-cluster\`, session_data_v1_local, ${table}, cityHash64(run_id))`,
    ])
  }
})

test('an organization’s user gets its row policies, on the tables with rows, before any grant to read', async () => {
  for (const [layout, database] of [
    [one, 'session_data_v1'],
    [many, 'session_data_v1_local'],
  ] as const) {
    const formatted = await Promise.all(userStatements(layout, organizationId, credentials).map(format))
    const policies = formatted.flatMap((sql, index) => (sql.startsWith('CREATE ROW POLICY') ? [index] : []))
    const grants = formatted.flatMap((sql, index) => (sql.includes('SELECT ON') ? [index] : []))
    expect(policies.map((index) => / ON (\S+)/.exec(formatted[index] ?? '')?.[1])).toEqual(
      ['runs', 'tests', 'turns', 'spans', 'failures', 'outputs', 'labels', 'scores'].map(
        (table) => `${database}.${table}`,
      ),
    )
    for (const index of policies)
      expect(formatted[index]).toContain(
        `FOR SELECT USING organization_id = toUUID('${organizationId}') TO \`${credentials.username}\``,
      )
    expect(Math.max(...policies)).toBeLessThan(Math.min(...grants))
    expect(formatted.join()).not.toMatch(/\*\.\*|INSERT|BY 'p'/)
  }
})

test('users cannot change any of their settings', async () => {
  const [, altered = ''] = await Promise.all(profileStatements(one, 7).map(format))
  const [, settings = ''] = altered.split('ADD SETTINGS ')
  expect(settings).toContain('max_execution_time = 7 CONST')
  expect(settings).toContain('readonly = 1 CONST')
  expect(settings.split(', ').every((setting) => setting.endsWith(' CONST'))).toBe(true)
})

test('releases of ClickHouse that let row policies be bypassed are recognized by their version', () => {
  const fixed = ['26.7.6.5', '26.7.7.1', '26.3.22.6', '26.3.30.1', '26.8.1.1', '27.1.1.1']
  const leaking = ['26.7.2.1', '26.7.6.4', '26.3.21.9', '26.4.9.9', '25.8.20.1', '24.3.1.1']
  expect(fixed.filter((version) => !hidesRowsFromIndexes(version))).toEqual([])
  expect(leaking.filter(hidesRowsFromIndexes)).toEqual([])
})

test('the grants in docs/clickhouse.md are enough for everything that the platform does with its tables', async () => {
  const documented = readFileSync(new URL('../../../../docs/clickhouse.md', import.meta.url), 'utf8')
  const grants = [...documented.matchAll(/^ {4}(GRANT .*) TO assay( WITH GRANT OPTION)?$/gm)].map(
    ([, grant = '', option = '']) => `${grant}${option}`,
  )
  for (const grant of grants) await format(grant.replace(/( WITH GRANT OPTION)?$/, ' TO assay$1'))
  const ofPlatform = mkdtempSync(join(tmpdir(), 'assay-grants-'))
  const [configFile, usersFile] = [join(ofPlatform, 'config.xml'), join(ofPlatform, 'users.xml')]
  writeFileSync(configFile, `<clickhouse><users_config>${usersFile}</users_config></clickhouse>`)
  writeFileSync(
    usersFile,
    `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
      <networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants></default></users></clickhouse>`,
  )
  const platform = await startServerEngine({ folder: ofPlatform, configFile })
  const perform = (sql: string) =>
    platform.perform({ sql, format: 'TSV', database: null, settings: {}, parameters: {} })
  for (const sql of createStatements(one)) await perform(sql)
  await perform(`INSERT INTO session_data_v1.runs (organization_id) VALUES ('${organizationId}')`)
  for (const sql of deleteStatements(one, 'session_data_v1', organizationId)) await perform(sql)
  await perform('SELECT sum(data_uncompressed_bytes) FROM system.parts')
  await perform(setAsideStatement(one))
  await perform(dropDistributedStatement(one))
  expect(await perform("SELECT name FROM system.columns WHERE table = 'runs' AND name = 'run_id'")).toBe('run_id\n')
  await expect(perform('DROP USER assay')).rejects.toThrow('ACCESS_DENIED')
  await platform.stop()
  rmSync(ofPlatform, { recursive: true, force: true })
})
