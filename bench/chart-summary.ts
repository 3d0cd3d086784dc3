import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Session } from 'chdb'

import { type ChartKind, chartReference } from '#contract/chart-kinds.ts'
import type { Analytics, QueryOptions } from '#platform/ground/services/analytics.ts'
import { dataSchema, tableStatements } from '#platform/analysis/analytics/create-tables.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { closeIdleDatabases } from '#platform/program/testing/test-database.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { type Measurement, median, report, rounded, measureMs } from './result.ts'
import { seedAnalytics } from './seed-analytics.ts'

/**
 * Measures POST /insights/{ref}/execute over 0.1, 1 and 10 M test rows of one experiment; TEST_ROWS chooses other numbers,
 * as `100000,1000000`. The engine alone runs the same statements over the same rows alternately. The last column is the
 * target: the whole platform may take 1.5 times as long as the engine. "Again" is the same question right afterwards, which
 * is answered from memory. Arguments are the names of the charts to measure, by default all.
 */
const rowCounts = (process.env['TEST_ROWS'] ?? '100000,1000000,10000000').split(',').map(Number)
const testsPerRun = 100
const rounds = 15
const experimentId = 'bench'

type Question = { kind: ChartKind; body?: object; isSummary: boolean }
const only = process.argv.slice(2)
const questions: Record<string, Question> = {
  'leaderboard by variant': { kind: 'leaderboard', isSummary: true },
  'heatmap by variant': { kind: 'tests', isSummary: true },
  'heatmap by model': { kind: 'tests', body: { parameters: { group_by: 'model' } }, isSummary: true },
  'heatmap, searched': { kind: 'tests', body: { parameters: { test_search: 'case 1' } }, isSummary: true },
  'scatterplot by variant': { kind: 'scatter', isSummary: true },
  'metric by variant': { kind: 'metric', isSummary: true },
  'first page of points': { kind: 'scatter', body: { result_view: 'points' }, isSummary: false },
}

type TestPlatform = Awaited<ReturnType<typeof openTestPlatform>>

type Statement = { sql: string; parameters: Record<string, unknown> }

const measurements: Measurement[] = []
for (const rowCount of rowCounts) measurements.push(...(await measureCharts(rowCount)))
report(measurements)
await closeIdleDatabases()

async function measureCharts(rowCount: number): Promise<Measurement[]> {
  const platform = await openTestPlatform()
  const { analytics } = platform.services
  const organizationId = platform.organization.id
  const fingerprint = await addVersion(platform.services.db, { organizationId, experimentId, ordinal: 1 })
  const seed = { organizationId, experimentId, fingerprint, runCount: rowCount / testsPerRun, testsPerRun }
  await seedAnalytics((sql, parameters) => analytics.query(organizationId, sql, { parameters }), seed)

  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const engine = new Session(folder)
  engine.query(`CREATE DATABASE ${dataSchema} ENGINE = Atomic`)
  engine.query(`USE ${dataSchema}`)
  for (const statement of tableStatements) engine.query(statement)
  await seedAnalytics((sql, parameters) => engine.queryBindAsync(sql, parameters), seed)

  const forgetAnswers = () => analytics.insert(organizationId, 'labels', [])
  const found: Measurement[] = []
  const sizes: string[] = []
  for (const [name, question] of Object.entries(questions)) {
    if (only.length > 0 && !only.includes(name)) continue
    const statements = await recordStatements(analytics, () => ask(platform, question))
    const [ours, again, theirs]: [number[], number[], number[]] = [[], [], []]
    let bytes = 0
    for (let round = 0; round < rounds; round += 1) {
      await forgetAnswers()
      ours.push(await measureMs(async () => (bytes = await ask(platform, question))))
      again.push(await measureMs(() => ask(platform, question)))
      theirs.push(await measureMs(() => runAlone(engine, statements)))
    }
    const target = question.isSummary ? { target: { ratio: 1.5 } } : {}
    const what = `chart on ${rowCount / 1e6} M test rows: ${name}`
    found.push({ what, unit: 'ms', ours: median(ours), floor: median(theirs), ...target })
    found.push({ what: `${what}, again`, unit: 'ms', ours: median(again) })
    sizes.push(`${name} ${rounded(bytes / 1000)} kB`)
  }
  process.stdout.write(`Median of ${rounds}; ${rowCount} test rows of one experiment; ${sizes.join(', ')}\n`)
  engine.cleanup()
  await platform.close()
  await rm(folder, { recursive: true, force: true })
  return found
}

async function ask(platform: TestPlatform, { kind, body = {} }: Question): Promise<number> {
  const path = `/insights/${encodeURIComponent(chartReference(experimentId, kind))}/execute`
  const { status, json } = await platform.request('POST', path, { body })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`)
  return json.chartDataJson.length
}

/** The engine's statements for one request. */
async function recordStatements(recorded: Analytics, work: () => Promise<unknown>): Promise<Statement[]> {
  const { query, queryText } = recorded
  const statements: Statement[] = []
  const record = (sql: string, options?: QueryOptions) =>
    statements.push({ sql, parameters: options?.parameters ?? {} })
  recorded.query = (organizationId, sql, options) => {
    record(sql, options)
    return query(organizationId, sql, options)
  }
  recorded.queryText = (organizationId, sql, options) => {
    record(sql, options)
    return queryText(organizationId, sql, options)
  }
  await work()
  Object.assign(recorded, { query, queryText })
  return statements
}

async function runAlone(engine: Session, statements: readonly Statement[]) {
  for (const { sql, parameters } of statements)
    (await engine.queryBindAsync(sql, parameters, { format: 'JSONEachRow' })).bytes()
}
