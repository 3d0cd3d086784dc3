import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { isOnClickhouse, openTestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import {
  type EntryPoint,
  openEntryPoints,
  directEntryPoints,
} from '#platform/program/testing/hostile-sql/entry-points.ts'
import { hostileBombs } from '#platform/program/testing/hostile-sql/hostile-disguises.ts'
import { hostileStatements } from '#platform/program/testing/hostile-sql/hostile.ts'
import { attemptAll, newTally, attempt, printTallies } from '#platform/program/testing/hostile-sql/tally.ts'
import {
  canaries,
  insertOurs,
  insertOutOfScope,
  insertTheirs,
  ours,
  theirs,
} from '#platform/program/testing/hostile-sql/two-organizations.ts'
import { atLength } from '#tools/test-length.ts'
import { runScopedSql } from './run-scoped-sql.ts'

// About a minute each; a busy machine takes ten times that.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** The checks of users' SQL before the engine executes it. */
const checks = vi.hoisted(() => ({ areOn: true }))
vi.mock(import('./check-sql-text.ts'), async (load) => {
  const { checkText } = await load()
  return { checkText: (sql) => (checks.areOn ? checkText(sql) : undefined) }
})
vi.mock(import('./read-statement.ts'), async (load) => {
  const { readStatement } = await load()
  const found = {
    selects: 1,
    tables: [],
    commonTables: new Set(''),
    functions: new Set(''),
    hiddenFunctions: new Set(''),
  }
  return {
    readStatement: (formatted, sql) => (checks.areOn ? readStatement(formatted, sql) : { sql: formatted, found }),
  }
})
vi.mock(import('./check-tree.ts'), async (load) => {
  const { checkTree } = await load()
  return {
    checkTree: (...given) =>
      checks.areOn ? checkTree(...given) : { kind: 'SelectWithUnionQuery', detail: '', children: [] },
  }
})

const folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
const { context: opened, close } = await openTestContext()
/** An engine with the rows of both organizations, so that only the checks and the scope separate them. */
const { analytics: shared, close: closeShared } = await openTestAnalytics({ readSeconds: 4, isOwn: true })
/** As in production: a separate engine for each organization, or a separate user if they share a server. */
const {
  analytics: apart,
  folder: apartFolder,
  close: closeApart,
} = await openTestAnalytics({ readSeconds: 4, isOwn: true })
const context = {
  ...opened,
  analytics: shared,
  organization: { ...opened.organization, id: ours.organizationId },
}
const { organizationId, experimentId, runId } = ours
let throughShared: Awaited<ReturnType<typeof openEntryPoints>>
let throughApart: Awaited<ReturnType<typeof openEntryPoints>>

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
  const run = { organizationId, experimentId, compositeId: runId, triggeredBy: context.caller.recordedUnder }
  await addFinishedRun(context.db, { ...run, outcomes: { one: 'passed' } })
  // The engine gets its rows below, so no run must be waiting for projection.
  await context.db.delete(analyticsOutbox)
  await insertOurs(shared)
  await insertOutOfScope(shared)
  await insertTheirs(shared, organizationId)
  await insertOurs(apart)
  await insertTheirs(apart, theirs.organizationId)
  throughShared = await openEntryPoints(context)
  throughApart = await openEntryPoints({ ...context, analytics: apart })
})
afterAll(async () => {
  server.close()
  await Promise.all([throughShared.close(), throughApart.close()])
  await Promise.all([closeShared(), closeApart()])
  await close()
  rmSync(folder, { recursive: true, force: true })
})

/** The expected response of an entry point that returns no rows. */
const answersOf: Record<string, string> = { 'a dry run': '"name":"id"', 'saving an insight': '"slug":"hostile"' }

test('the test would detect a leak: the shared engine contains every canary, and every entry point answers', async () => {
  const held = JSON.stringify(await shared.query(organizationId, 'SELECT agent, experiment_id FROM runs'))
  for (const canary of Object.values(canaries)) expect(held).toContain(canary)
  for (const { entryPoints } of [throughShared, throughApart])
    for (const { name, ask } of entryPoints) {
      const answer = JSON.stringify(await ask('SELECT id FROM runs'))
      expect([name, answer]).toEqual([name, expect.stringContaining(answersOf[name] ?? runId)])
    }
})

test('hostile SQL reads no row outside its scope through any entry point, on an engine with everybody’s rows', async () => {
  const statements = hostileStatements(targets)
  const { entryPoints } = throughShared
  // The checks, and which entry point uses them, do not depend on where the engine runs.
  const each = atLength(isOnClickhouse ? 1 : 3, entryPoints.length)
  const tallies = await attemptAll(statements, entryPoints, each)
  printTallies('checks and scope alone', tallies)
  for (const tally of tallies.values()) {
    expect(tally.leaked).toBe(0)
    expect(tally.tried).toBeGreaterThanOrEqual(Math.floor(statements.length / entryPoints.length) * each)
    expect(tally.refused).toBeGreaterThan(tally.scoped)
    expect(tally.scoped).toBeGreaterThan(0)
  }
  expect(statements.length).toBeGreaterThan(400)
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
})

test('hostile SQL that bypasses every check reaches nothing outside its organization’s engine', async () => {
  // In this release of the engine, mergeTreeIndex bypasses row policies (ClickHouse issue 115230); see
  // server-version.ts.
  const isKnownGap = (sql: string) => isOnClickhouse && /mergeTreeIndex/i.test(sql)
  const statements = hostileStatements(targets).filter((sql) => !isKnownGap(sql))
  checks.areOn = false
  const ways = [
    ...throughApart.entryPoints.filter(({ name }) => scopes.has(name)).map(ofOrganization),
    ...directEntryPoints(apart),
  ]
  const each = atLength(2, ways.length)
  const tallies = await attemptAll(statements, ways, each).finally(() => (checks.areOn = true))
  printTallies('the engine of one organization alone', tallies)
  for (const { tried, leaked } of tallies.values()) {
    expect(leaked).toBe(0)
    expect(tried).toBeGreaterThanOrEqual(Math.floor(statements.length / ways.length) * each)
  }
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
  const held = await apart.query(
    theirs.organizationId,
    'SELECT toUInt32(count()) AS n FROM runs FINAL WHERE organization_id = {of:UUID}',
    { parameters: { of: theirs.organizationId } },
  )
  expect(held).toEqual([{ n: 12 }])
})

/**
 * One entry point for each scope. Without the checks, the others send the engine the same statements; the test above
 * tries them all.
 */
const scopes = new Set(['the query of an experiment', 'the query of a run', 'a saved insight of the organization'])

/** Without the checks, only organizations are separated. */
const ofOrganization = (way: EntryPoint): EntryPoint => ({ ...way, forbidden: [canaries.organization] })

test('statements that try to exhaust resources end quickly, and the platform stays up', async () => {
  // A dozen of them run until they are stopped.
  const { analytics, close: closeExhausted } = await openTestAnalytics({ readSeconds: atLength(1, 4), isOwn: true })
  onTestFinished(closeExhausted)
  await insertOurs(analytics)
  await insertOutOfScope(analytics)
  await insertTheirs(analytics, organizationId)
  const exhausted = { ...context, analytics }
  const tally = newTally()
  const scope = { kind: 'experiment', experimentId } as const
  const scoped = { organizationId, scope, limit: 100, includeTestAware: false }
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (const sql of hostileBombs.filter((_, index) => index % 2 === lane))
        await attempt(tally, Object.values(canaries), sql.slice(0, 80), () =>
          runScopedSql(exhausted, { ...scoped, sql }),
        )
    }),
  )
  printTallies('bombs', new Map([['the query of an experiment', tally]]))
  expect(tally.leaked).toBe(0)
  const count = async () => (await runScopedSql(exhausted, { ...scoped, sql: 'SELECT count() FROM runs' })).table.read()
  await expect.poll(count).toMatchObject({ rows: [[12]] })
})
