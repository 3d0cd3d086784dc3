import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { Failure } from '#platform/failure.ts'
import { organizations } from '#platform/identity/tables.ts'
import { createInsight } from '#platform/insights/create-insight.ts'
import { getInsight } from '#platform/insights/get-insight.ts'
import { insights } from '#platform/insights/tables.ts'
import { addFinishedRun, addVersion } from '#platform/testing/finished-runs.ts'
import { isOnClickhouse, openTestAnalytics } from '#platform/testing/test-analytics.ts'
import { openTestContext } from '#platform/testing/test-context.ts'
import { hostileBombs } from './corpus/hostile-disguises.ts'
import { hostileStatements } from './corpus/hostile.ts'
import { canaries, insertOurs, insertOutOfScope, insertTheirs, ours, theirs } from './corpus/two-organizations.ts'
import { queryExperiment } from './query-experiment.ts'
import { queryRun } from './query-run.ts'
import { runScopedSql } from './run-scoped-sql.ts'
import { scopeSql } from './scope-sql.ts'

// About ten seconds each; a busy machine takes five times that.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
const { context: opened, close } = await openTestContext()
/** An engine that holds both organizations' rows, so that only the checks and the scope stand between them. */
const { analytics: shared, close: closeShared } = await openTestAnalytics({ readSeconds: 1 })
/** As in production: an engine of its own for each organization, or a user of its own where they share a server. */
const { analytics: apart, folder: apartFolder, close: closeApart } = await openTestAnalytics({ readSeconds: 1 })
const context = {
  ...opened,
  analytics: shared,
  organization: { ...opened.organization, id: ours.organizationId },
}
const { organizationId, experimentId, runId } = ours

let calls = 0
const server = createServer((_, response) => {
  calls += 1
  response.end(canaries.organization)
})

const targets = {
  theirs: theirs.organizationId,
  theirFolder: join(apartFolder, theirs.organizationId),
  hostFile: join(folder, 'secret.txt'),
  outFile: join(folder, 'out.csv'),
  address: '',
}

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  targets.address = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  writeFileSync(targets.hostFile, canaries.organization)
  await context.db.insert(organizations).values({ id: organizationId, slug: 'ours', name: 'Ours' })
  await addVersion(context.db, { organizationId, experimentId, ordinal: 1 })
  const run = { organizationId, experimentId, compositeId: runId, triggeredBy: context.caller.userId }
  await addFinishedRun(context.db, { ...run, outcomes: { one: 'passed' } })
  await insertOurs(shared)
  await insertOutOfScope(shared)
  await insertTheirs(shared, organizationId)
  await insertOurs(apart)
  await insertTheirs(apart, theirs.organizationId)
})
afterAll(async () => {
  server.close()
  await Promise.all([closeShared(), closeApart()])
  await close()
  rmSync(folder, { recursive: true, force: true })
})

type Tally = { tried: number; refused: number; scoped: number; leaked: number }

/** Runs one statement and looks for what its answer, or its error, may not hold. */
async function attempt(tally: Tally, forbidden: string[], sql: string, run: () => Promise<unknown>) {
  tally.tried += 1
  const [outcome, said] = await run().then(
    (answer) => ['scoped', JSON.stringify(answer)] as const,
    (error: unknown) => {
      if (error instanceof Failure) return ['refused', JSON.stringify([error.message, error.issues])] as const
      throw new Error(`${sql} ended in an error that is no refusal`, { cause: error })
    },
  )
  tally[outcome] += 1
  if (!forbidden.some((text) => said.includes(text))) return
  tally.leaked += 1
  console.error(`leaked by ${sql.slice(0, 500)}: ${said.slice(0, 1000)}`)
}

const newTally = (): Tally => ({ tried: 0, refused: 0, scoped: 0, leaked: 0 })

const tell = (what: string, { tried, refused, scoped, leaked }: Tally) =>
  console.log(`hostile SQL, ${what}: tried ${tried}, refused ${refused}, scoped ${scoped}, leaked: ${leaked}`)

/** A saved insight whose SQL is whatever it is made to be, as if a check at saving had missed it. */
async function insightOf(provenance: { kind: 'none' } | { kind: 'experiment'; experimentId: string }) {
  const { insight } = await createInsight(context, {
    heading: `Hostile ${provenance.kind}`,
    sql: 'SELECT 1',
    provenance,
  })
  return async (sql: string) => {
    if (sql.includes('\0')) throw new Failure('invalid_argument', 'No database keeps a NUL, so no insight has one')
    await context.db.update(insights).set({ sql }).where(eq(insights.id, insight.id))
    const { sql: _, ...answer } = await getInsight(context, { ref: insight.id, limit: 10_000 })
    return answer
  }
}

test('a leak would show: the shared engine holds every canary, and the routes answer', async () => {
  const held = JSON.stringify(await shared.query(organizationId, 'SELECT agent, experiment_id FROM runs'))
  for (const canary of Object.values(canaries)) expect(held).toContain(canary)
  const sql = 'SELECT id FROM runs'
  expect(await queryExperiment(context, { id: experimentId, sql })).toMatchObject({ rowCount: 12 })
  expect(await queryRun(context, { id: runId, sql })).toMatchObject({ rows: [[runId]] })
})

test('hostile SQL meets no row outside its scope through any entry point, over an engine that holds everybody’s', async () => {
  const all = Object.values(canaries)
  const limit = 10_000
  const [insightOfExperiment, insightOfOrganization] = [
    await insightOf({ kind: 'experiment', experimentId }),
    await insightOf({ kind: 'none' }),
  ]
  const tally = newTally()
  for (const sql of hostileStatements(targets)) {
    const outsideOrganization = [canaries.organization, canaries.testAware]
    await Promise.all([
      attempt(tally, all, sql, () => queryExperiment(context, { id: experimentId, sql, limit })),
      attempt(tally, [...all, '::run5'], sql, () => queryRun(context, { id: runId, sql, limit })),
      attempt(tally, all, sql, () => insightOfExperiment(sql)),
      attempt(tally, outsideOrganization, sql, () => insightOfOrganization(sql)),
    ])
  }
  tell('checks and scope alone', tally)
  expect(tally.leaked).toBe(0)
  expect(tally.tried).toBeGreaterThan(600)
  expect(tally.refused).toBeGreaterThan(tally.scoped)
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
})

test('hostile SQL that no check has seen reaches nothing outside its organization’s engine', async () => {
  const tally = newTally()
  // In this release of the engine mergeTreeIndex looks past row policies (ClickHouse issue 115230); see server-version.ts.
  const isKnownGap = (sql: string) => isOnClickhouse && /mergeTreeIndex/i.test(sql)
  const wrap = (sql: string) =>
    scopeSql(sql, { organizationId, scope: { kind: 'organization' }, limit: 10_000, includeTestAware: false })
  for (const sql of hostileStatements(targets).filter((sql) => !isKnownGap(sql))) {
    const wrapped = wrap(sql)
    const bare = () => apart.takeTurn(organizationId, (read) => read(sql)).catch(toRefusal)
    const scoped = () => apart.takeTurn(organizationId, (read) => read(wrapped.sql, wrapped)).catch(toRefusal)
    await Promise.all([
      attempt(tally, [canaries.organization], sql, bare),
      attempt(tally, [canaries.organization], sql, scoped),
    ])
  }
  tell('the engine of one organization alone', tally)
  expect(tally.leaked).toBe(0)
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
  const held = await apart.query(
    theirs.organizationId,
    'SELECT toUInt32(count()) AS n FROM runs FINAL WHERE organization_id = {of:UUID}',
    { parameters: { of: theirs.organizationId } },
  )
  expect(held).toEqual([{ n: 12 }])
})

/** The engine's own errors are an answer here: what they say is searched like rows. */
const toRefusal = (error: unknown): never => {
  throw error instanceof Failure ? error : new Failure('invalid_argument', String(error))
}

test('statements that would take all there is end soon, and the platform lives', async () => {
  const tally = newTally()
  const scope = { kind: 'experiment', experimentId } as const
  const scoped = { organizationId, scope, limit: 100, includeTestAware: false }
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (const sql of hostileBombs.filter((_, index) => index % 2 === lane))
        await attempt(tally, Object.values(canaries), sql.slice(0, 80), () => runScopedSql(context, { ...scoped, sql }))
    }),
  )
  tell('bombs', tally)
  expect(tally.leaked).toBe(0)
  const { rows } = await runScopedSql(context, { ...scoped, sql: 'SELECT count() FROM runs' })
  expect(rows).toEqual([[12]])
})
