import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { Metric } from '#contract/queries.ts'
import type { ReadStatement } from '#platform/ground/services/analytics.ts'
import { experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import {
  addFinishedRun,
  addOrganization,
  addVersion,
  type FinishedRunFacts,
} from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const fingerprints: string[] = []
const runIds: string[] = []

/** Version 1 has two runs. Version 2 has six, one of them test aware. */
const facts: (Partial<FinishedRunFacts> & Pick<FinishedRunFacts, 'outcomes'> & { agent: string; ordinal: number })[] = [
  { ordinal: 1, agent: 'old', outcomes: { one: 'failed', two: 'failed' } },
  { ordinal: 1, agent: 'old', outcomes: { one: 'passed', two: 'failed' } },
  {
    ordinal: 2,
    agent: 'fast',
    model: 'm1',
    costUsd: 0.5,
    outcomes: { one: 'passed', two: 'passed' },
  },
  { ordinal: 2, agent: 'fast', model: 'm1', outcomes: { one: 'passed', two: 'failed' } },
  { ordinal: 2, agent: 'slow', model: 'm2', costUsd: 2, outcomes: { one: 'failed' } },
  { ordinal: 2, agent: 'slow', outcomes: { one: 'passed', two: 'skipped' } },
  { ordinal: 2, agent: "it's", outcomes: {} },
  {
    ordinal: 2,
    agent: 'fast',
    model: 'm1',
    testAware: true,
    outcomes: { one: 'failed', two: 'failed' },
  },
]

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const key = { organizationId: organization.id, experimentId: 'e' }
  const { actor } = (await platform.request('GET', '/whoami')).json
  const triggeredBy = actor.id
  // The experiment's row has the version with the earliest push as its latest.
  for (const ordinal of [2, 1]) fingerprints[ordinal - 1] = await addVersion(services.db, { ...key, ordinal })
  for (const run of facts) {
    const fingerprint = fingerprints[run.ordinal - 1] ?? ''
    runIds.push(await addFinishedRun(services.db, { ...key, triggeredBy, ...run, variantId: run.agent, fingerprint }))
  }
  await addFinishedRun(services.db, { ...key, experimentId: 'other', outcomes: { one: 'passed' } })
  const stranger = await addOrganization(services.db)
  await addVersion(services.db, { organizationId: stranger, experimentId: 'secret', ordinal: 1 })
  await projectRuns(services, organization.id)
})
afterAll(() => platform.close())

const query = (body: object, path = '/experiments/e/query') => platform.request('POST', path, { body })
const runPath = (index: number) =>
  `/runs/${encodeURIComponent(`${facts[index]?.agent ?? ''}::${runIds[index] ?? ''}`)}/query`

describe('raw SQL', () => {
  test('raw SQL returns typed columns, rows in projection order and the statement that ran', async () => {
    const sql = 'select agent, count() as n from runs group by agent order by agent -- mine'
    const { status, json } = await query({ sql })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      columns: [
        { name: 'agent', type: 'LowCardinality(String)' },
        { name: 'n', type: 'UInt64' },
      ],
      rows: [
        ['fast', 2],
        ["it's", 1],
        ['old', 2],
        ['slow', 2],
      ],
      rowCount: 4,
      truncated: false,
      statistics: { rowsRead: expect.any(Number) },
    })
    expect(json.compiledSql).toContain('GROUP BY agent')
    expect(json.compiledSql).not.toContain('organization')
    expect((await query({ sql: json.compiledSql })).json.rows).toEqual(json.rows)
    expect(json).not.toHaveProperty('excludedTestAwareRuns')
  })

  test('raw SQL reads only the experiment of the path, even if the body names another scope', async () => {
    const body = { sql: 'SELECT DISTINCT experiment_id FROM runs', experimentId: 'other', orgId: 'x', runId: 'y' }
    expect((await query(body)).json.rows).toEqual([['e']])
  })

  test('raw SQL leaves out test-aware runs unless the request includes them, by either name', async () => {
    const sql = 'SELECT count() FROM runs'
    expect((await query({ sql })).json.rows).toEqual([[7]])
    expect((await query({ sql, includeTestAware: true })).json.rows).toEqual([[8]])
    expect((await query({ sql, include_test_aware: true })).json.rows).toEqual([[8]])
  })

  test('the limit is 100 for 0 or none and at most 10000, and truncated says when there are more rows', async () => {
    const sql = 'SELECT number FROM numbers(20000)'
    for (const limit of [0, undefined]) {
      expect((await query({ sql, limit })).json).toMatchObject({ rowCount: 100, truncated: true })
    }
    expect((await query({ sql, limit: 10_000 })).json).toMatchObject({ rowCount: 10_000, truncated: true })
    expect((await query({ sql: 'SELECT number FROM numbers(7)', limit: 7 })).json).toMatchObject({
      rowCount: 7,
      truncated: false,
    })
    for (const limit of [10_001, -1, 1.5]) expect((await query({ sql, limit })).status).toBe(400)
  })

  test('every SQL value keeps its full precision in JSON', async () => {
    const values: [string, unknown][] = [
      ['toUInt64(42)', 42],
      ['9007199254740993', '9007199254740993'],
      ['toInt128(-5)', -5],
      ['toDecimal64(1.50, 2)', '1.5'],
      ['[1, NULL]', [1, null]],
      ["(1, toUInt64(18446744073709551615), 'x')", [1, '18446744073709551615', 'x']],
      [
        "map('b', toUInt64(2), 'a', toUInt64(1))",
        [
          ['b', 2],
          ['a', 1],
        ],
      ],
      ['0 / 0', 'NaN'],
      ['[1 / 0, -1 / 0]', ['Infinity', '-Infinity']],
      ["toDate('2026-11-20')", '2026-11-20'],
      ["toDateTime('2026-11-20 10:00:00')", '2026-11-20T10:00:00Z'],
      ["toDateTime64('2026-11-20 10:00:00.5', 3, 'UTC')", '2026-11-20T10:00:00.500Z'],
      ["toDateTime('2026-11-20 10:00:00', 'Europe/Berlin')", '2026-11-20 10:00:00'],
      ['true', true],
      ['NULL', null],
      ["toUUID('00000000-0000-4000-8000-000000000001')", '00000000-0000-4000-8000-000000000001'],
      ["'a\\n\"b\\\\'", 'a\n"b\\'],
      ['0.1', 0.1],
    ]
    const { json } = await query({ sql: `SELECT ${values.map(([sql], index) => `${sql} AS c${index}`).join(', ')}` })
    expect(json.rows).toEqual([values.map(([, value]) => value)])
  })

  test('a dry run returns the normalized statement, its columns and an estimate, and executes nothing', async () => {
    const { json } = await query({ sql: 'select id from runs', dryRun: true })
    expect(json).toMatchObject({
      compiledSql: 'SELECT id\nFROM runs',
      columns: [{ name: 'id', type: 'String' }],
      rows: [],
      rowCount: 0,
      estimate: { rows: expect.any(Number), marks: 1, parts: 1, bytes: expect.any(Number) },
    })
    expect(json.estimate.rows).toBeGreaterThan(0)
    expect((await query({ sql: 'select nope from runs', dryRun: true })).status).toBe(400)
  })

  const endless = 'SELECT sum(sipHash64(a.number, b.number)) AS x FROM numbers(1000000) a CROSS JOIN numbers(1000000) b'

  test.each([
    ['a value', `SELECT (${endless}) AS x FROM runs`, [['x', 'Nullable(UInt64)']], 1],
    ['a set', `SELECT repeat AS x FROM runs WHERE repeat IN (${endless})`, [['x', 'UInt32']], 1],
    [
      'a named set',
      `WITH s AS (${endless}) SELECT count() AS x FROM runs JOIN tests USING (run_id) WHERE repeat IN s`,
      [['x', 'UInt64']],
      2,
    ],
    ['a set that is a table', 'SELECT 1 AS x FROM numbers(1) WHERE number IN runs', [['x', 'UInt8']], 1],
  ])('a dry run executes no subquery for %s, and estimates the tables', async (_, sql, columns, parts) => {
    const { json } = await query({ sql, dryRun: true })
    const named = columns.map(([name, type]) => ({ name, type }))
    expect(json).toMatchObject({ columns: named, rows: [], estimate: { parts } })
    expect((await query({ sql: sql.replace('AS x', 'AS x, nope'), dryRun: true })).status).toBe(400)
  })

  const refusals: [string, string, object][] = [
    ['a syntax error', 'SELECT\n  id\nFROM runs\nWHERE AND', { line: 4 }],
    ['an unknown column', 'SELECT id,\n  nope\nFROM runs', { line: 2, column: 3, message: 'Unknown column nope' }],
    ['an unknown table', 'SELECT 1\nFROM elsewhere', { line: 2, column: 6 }],
    ['a function that is not available', "SELECT\n file('x')", { line: 2, column: 2 }],
    ['a column after a word of several bytes', "SELECT 'é', nope FROM runs", { line: 1, column: 13 }],
    ['a second statement', 'SELECT 1; SELECT 2', { line: 1 }],
    ['a type that does not fit', 'SELECT agent + 1 FROM runs', { message: expect.stringContaining('Illegal types') }],
    ['FINAL', 'SELECT * FROM runs FINAL', { line: 1, column: 20 }],
    ['a control character', 'SELECT 1\u0007', { line: 1, column: 9 }],
  ]
  test.each(refusals)(
    '400 invalid_argument for %s, with the position in the user’s own text',
    async (_, sql, issue) => {
      const { status, json, text } = await query({ sql })
      expect({ status, error: json.error }).toEqual({ status: 400, error: 'invalid_argument' })
      expect(json.issues).toEqual([expect.objectContaining({ path: 'sql', ...issue })])
      expect(text).not.toMatch(
        /DB::Exception|session_data_v1|PREWHERE|version 2|scopeOrganization|__table|\/work|node_modules/,
      )
    },
  )

  test('400 invalid_argument for SQL that is empty or longer than 20,000 bytes', async () => {
    for (const sql of ['', '  \n', `SELECT '${'é'.repeat(10_000)}'`]) expect((await query({ sql })).status).toBe(400)
  })
})

describe('a query of one run', () => {
  test('a query of one run reads only that run, test aware or not', async () => {
    const sql = 'SELECT count(), any(agent) FROM runs'
    expect((await query({ sql }, runPath(2))).json.rows).toEqual([[1, 'fast']])
    expect((await query({ sql }, runPath(7))).json.rows).toEqual([[1, 'fast']])
    expect((await query({ sql: 'SELECT count() FROM tests' }, runPath(4))).json.rows).toEqual([[1]])
  })

  test('a query of one run has the same limits: 100 for 0 or none, and 10000 at most', async () => {
    const sql = 'SELECT number FROM numbers(20000)'
    for (const limit of [0, undefined])
      expect((await query({ sql, limit }, runPath(2))).json).toMatchObject({ rowCount: 100, truncated: true })
    expect((await query({ sql, limit: 10_000 }, runPath(2))).json).toMatchObject({ rowCount: 10_000, truncated: true })
    for (const limit of [10_001, -1, 1.5])
      expect((await query({ sql, limit }, runPath(2))).json.error).toBe('invalid_argument')
  })

  test('400 invalid_argument for the id of a run request, 404 not_found for an unknown run', async () => {
    expect((await query({ sql: 'SELECT 1' }, `/runs/${runIds[0]}/query`)).json.error).toBe('invalid_argument')
    expect((await query({ sql: 'SELECT 1' }, '/runs/a%3A%3Ab/query')).json.error).toBe('not_found')
    expect((await query({}, runPath(0))).json.error).toBe('invalid_argument')
  })
})

describe('saving a query', () => {
  test('saveInsight saves the statement with the scope of its route, by either name', async () => {
    const { json } = await query({ sql: 'SELECT count() FROM runs', save: { heading: 'How many runs' } })
    expect(json).toMatchObject({ rows: [[7]], savedInsight: { slug: 'how-many-runs', created: true } })
    const { json: view } = await platform.request('GET', `/insights/${json.savedInsight.id}`)
    expect(view).toMatchObject({ rows: [[7]], insight: { provenance: { kind: 'experiment', experimentId: 'e' } } })
    const ofRun = await query({ sql: 'SELECT 1', saveInsight: { heading: 'One run' } }, runPath(2))
    const { json: runView } = await platform.request('GET', `/insights/${ofRun.json.savedInsight.id}`)
    expect(runView.insight.provenance.kind).toBe('run')
  })

  test('a failed query is not saved', async () => {
    const failed = await query({ sql: 'SELECT toUInt8(agent) FROM runs', saveInsight: { heading: 'Never' } })
    expect(failed.status).toBe(400)
    expect((await platform.request('GET', '/insights/never')).status).toBe(404)
  })
})

describe('modeled queries', () => {
  test('the default modeled query gives the mean pass rate by variant of the latest version, and the excluded runs', async () => {
    const { json } = await query({})
    expect(json.columns.map(({ name }: { name: string }) => name)).toEqual(['variant', 'testPassRate', 'runCount'])
    expect(json.rows).toEqual([
      ['fast', 0.75, 2],
      ["it's", null, 1],
      ['slow', 0.5, 2],
    ])
    expect(json.excludedTestAwareRuns).toBe(1)
    expect((await query({ includeTestAware: true })).json).toMatchObject({
      excludedTestAwareRuns: 0,
      rows: expect.arrayContaining([['fast', 0.5, 3]]),
    })
  })

  test('a dry run of a modeled query only asks the engine for formatting, types and plans', async () => {
    const { analytics } = platform.services
    const asked: string[] = []
    platform.services.analytics = {
      ...analytics,
      withReader: (organizationId, work, turn) => {
        const listening =
          (read: ReadStatement): ReadStatement =>
          (sql, options) => {
            asked.push(sql)
            return read(sql, options)
          }
        return analytics.withReader(organizationId, (read, readResult) => work(listening(read), readResult), turn)
      },
    }
    const { json } = await query({ dryRun: true }).finally(() => (platform.services.analytics = analytics))
    expect(json).toMatchObject({ rows: [], estimate: { parts: 1 } })
    expect(json).not.toHaveProperty('excludedTestAwareRuns')
    expect(asked.map((sql) => /^(SELECT formatQuery|EXPLAIN|DESCRIBE)/.exec(sql)?.[1])).toEqual([
      'SELECT formatQuery',
      'EXPLAIN',
      'DESCRIBE',
      'EXPLAIN',
    ])
  })

  test('an interval over runs is that of Student’s t, Wilson’s where all runs agree, and null for one run', async () => {
    const { json } = await query({ interval: 'runs', metrics: ['testPassRate', 'cost'], groupBy: ['agent'] })
    const names = ['agent', 'testPassRate', 'testPassRateLow', 'testPassRateHigh', 'cost', 'costLow', 'costHigh']
    expect(json.columns.map(({ name }: { name: string }) => name)).toEqual([...names, 'runCount'])
    const [fast, none, slow] = json.rows
    // R: t.test(c(1, 0.5)) reaches −2.43 to 3.93, which is cut to the range of a rate.
    expect(fast).toEqual(['fast', 0.75, 0, 1, 0.5, null, null, 2])
    expect(none).toEqual(["it's", null, null, null, null, null, null, 1])
    expect(slow).toEqual(['slow', 0.5, 0, 1, 2, null, null, 2])
    const bySameRuns = await query({ interval: 'runs', version: fingerprints[0], metrics: ['testsFailed'] })
    // R: t.test(c(2, 1)) has the upper end 7.853.
    expect(bySameRuns.json.rows).toEqual([['old', 1.5, 0, expect.closeTo(7.853, 3), 2]])
  })

  test('an interval over prompts counts the runs of one prompt as a cluster', async () => {
    const solvedOf = { p1: [1, 1, 0], p2: [0, 0], p3: [1], p4: [1, 0], p5: [0, 1], p6: [0], p7: [1, 1, 0], p8: [1, 0] }
    const { services, organization } = platform
    const key = { organizationId: organization.id, experimentId: 'clusters' }
    await addVersion(services.db, { ...key, ordinal: 1 })
    for (const [prompt, runs] of Object.entries(solvedOf))
      for (const solved of runs)
        await addFinishedRun(services.db, { ...key, prompt, outcomes: { one: solved === 1 ? 'passed' : 'failed' } })
    await projectRuns(services, organization.id)
    const ends = async (body: object) => {
      const { json } = await query({ groupBy: ['agent'], ...body }, '/experiments/clusters/query')
      return json.rows[0].slice(2, 4)
    }
    // Computed apart from this code, with t(7) = 2.364624 and t(15) = 2.131450.
    expect(await ends({ interval: 'prompts' })).toEqual([expect.closeTo(0.276564, 4), expect.closeTo(0.723436, 4)])
    expect(await ends({ interval: 'runs' })).toEqual([expect.closeTo(0.224831, 4), expect.closeTo(0.775169, 4)])
    // Wilson's interval of 0 in 2.
    expect(await ends({ interval: 'runs', prompts: ['p2'] })).toEqual([0, expect.closeTo(0.65762, 5)])
    expect(await ends({ interval: 'prompts', prompts: ['p2'] })).toEqual([null, null])

    const taskOf = { p1: 'one', p2: 'one', p3: "it's", p4: "it's", p5: 'p6', p7: 'four', p8: 'four' }
    const prompts = Object.entries(taskOf).map(([id, task]) => ({ id, text: 'x', task }))
    await services.db
      .update(experimentVersions)
      .set({ definition: { id: 'clusters', name: 'Clusters', agents: [], prompts } })
      .where(eq(experimentVersions.experimentId, 'clusters'))
    // Four tasks of 5, 3, 3 and 5 runs are worth 3.8 equal ones, so t has two degrees.
    expect(await ends({ interval: 'prompts' })).toEqual([expect.closeTo(0.189483, 4), expect.closeTo(0.810517, 4)])
    expect(await ends({ interval: 'prompts', prompts: ['p1', 'p2'] })).toEqual([null, null])
  })

  test('every metric has an interval over prompts, and its compiled SQL returns the same rows', async () => {
    for (const groupBy of [['agent'], ['test', 'prompt']]) {
      const body = { interval: 'prompts', metrics: Metric.options, groupBy }
      const modeled = (await query(body)).json
      expect(modeled.columns).toHaveLength(groupBy.length + 3 * Metric.options.length + 1)
      expect((await query({ sql: modeled.compiledSql })).json.rows).toEqual(modeled.rows)
    }
  })

  test('a missing metric is null, and a mean counts only runs with a value', async () => {
    const { json } = await query({ metrics: ['cost', 'tokens', 'testsPassed'], groupBy: ['agent'] })
    expect(json.rows).toEqual([
      ['fast', 0.5, null, 1.5, 2],
      ["it's", null, null, 0, 1],
      ['slow', 2, null, 0.5, 2],
    ])
  })

  test('grouped by test, the pass rate is the share of the runs of that test that passed it', async () => {
    const { json } = await query({ metrics: ['testPassRate', 'cost'], groupBy: ['test'] })
    expect(json.rows).toEqual([
      ['one', 0.75, 1.25, 4],
      ['two', 0.5, 0.5, 3],
    ])
  })

  test('a modeled query groups in the given order, filters by axis, and accepts a version fingerprint', async () => {
    const { json } = await query({ groupBy: ['model', 'agent'], agents: ['fast', 'slow'], models: ['m2', ''] })
    expect(json.rows).toEqual([
      ['m2', 'slow', 0, 1],
      [null, 'slow', 1, 1],
    ])
    expect((await query({ version: fingerprints[0] })).json.rows).toEqual([['old', 0.25, 2]])
    expect((await query({ agents: ["it's"] })).json.rows).toEqual([["it's", null, 1]])
    expect((await query({ agents: ["'; DROP TABLE runs --", '\\', '\n'] })).json.rows).toEqual([])
  })

  test.each([{}, { groupBy: ['test', 'agent'], metrics: ['testsFailed', 'cost'] }, { agents: ["it's", 'fast'] }])(
    'the compiled SQL of %j, sent as sql, returns the same rows',
    async (body) => {
      const modeled = (await query(body)).json
      const raw = (await query({ sql: modeled.compiledSql })).json
      expect(raw.rows).toEqual(modeled.rows)
      expect(raw.columns).toEqual(modeled.columns)
    },
  )

  test('discoverDimension lists everything, or the values of one dimension with their runs', async () => {
    const { json } = await query({ discoverDimension: '' })
    expect(json.discovered.dimensions).toEqual([
      'variant',
      'agent',
      'model',
      'product',
      'environment',
      'prompt',
      'test',
    ])
    expect(json.discovered.metrics).toContain('toolFailures')
    expect((await query({ dimensions: 'model' })).json.discovered.values).toEqual([
      { value: 'm1', runs: 2 },
      { value: 'm2', runs: 1 },
      { value: null, runs: 2 },
    ])
    expect((await query({ discover_dimension: 'test' })).json.discovered.values).toEqual([
      { value: 'one', runs: 4 },
      { value: 'two', runs: 3 },
    ])
  })

  test('a modeled query is saved as its compiled SQL', async () => {
    const { json } = await query({ saveInsight: { heading: 'By variant' } })
    const { json: view } = await platform.request('GET', `/insights/${json.savedInsight.id}`)
    expect(view.rows).toEqual(json.rows)
  })
})

const save = { heading: 'x' }
const invalidBodies: [string, object][] = [
  ['sql with a modeled field', { sql: 'SELECT 1', groupBy: ['agent'] }],
  ['sql with an interval', { sql: 'SELECT 1', interval: 'runs' }],
  ['an interval over another unit', { interval: 'tests' }],
  ['sql with a filter', { sql: 'SELECT 1', agents: [] }],
  ['sql with discoverDimension', { sql: 'SELECT 1', discoverDimension: '' }],
  ['dryRun with saveInsight', { sql: 'SELECT 1', dryRun: true, saveInsight: save }],
  ['discoverDimension with dryRun', { discoverDimension: 'agent', dryRun: true }],
  ['discoverDimension with saveInsight', { discoverDimension: '', save }],
  ['an unknown metric', { metrics: ['luck'] }],
  ['an unknown dimension', { groupBy: ['colour'] }],
  ['a dimension twice', { groupBy: ['agent', 'agent'] }],
  ['another statistic than the mean', { stat: 'median' }],
  ['an unknown version', { experimentVersion: 'f'.repeat(64) }],
  ['an unknown dimension to discover', { discoverDimension: 'colour' }],
]
test.each(invalidBodies)('400 invalid_argument for a query with %s', async (_, body) => {
  expect((await query(body)).json.error).toBe('invalid_argument')
})

test.each(['nowhere', 'secret'])('404 not_found for a query of the experiment %s', async (id) => {
  for (const body of [{}, { sql: 'SELECT 1' }])
    expect((await query(body, `/experiments/${id}/query`)).json.error).toBe('not_found')
})
