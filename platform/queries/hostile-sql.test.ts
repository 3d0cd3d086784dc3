import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { Failure } from '#platform/failure.ts'
import { organizations } from '#platform/identity/tables.ts'
import { addFinishedRun, addVersion } from '#platform/testing/finished-runs.ts'
import { isOnClickhouse, openTestAnalytics } from '#platform/testing/test-analytics.ts'
import { openTestContext } from '#platform/testing/test-context.ts'
import { type EntryPoint, openEntryPoints, straightWays } from './corpus/entry-points.ts'
import { hostileBombs } from './corpus/hostile-disguises.ts'
import { hostileStatements } from './corpus/hostile.ts'
import { canaries, insertOurs, insertOutOfScope, insertTheirs, ours, theirs } from './corpus/two-organizations.ts'
import { runScopedSql } from './run-scoped-sql.ts'

// About twenty seconds each; a busy machine takes five times that.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 })

/** The checks that users' SQL goes through before the engine executes it. */
const checks = vi.hoisted(() => ({ areOn: true }))
vi.mock(import('./check-text.ts'), async (load) => {
  const { checkText } = await load()
  return { checkText: (sql) => (checks.areOn ? checkText(sql) : undefined) }
})
vi.mock(import('./check-tokens.ts'), async (load) => {
  const { checkTokens, ...rest } = await load()
  return { ...rest, checkTokens: (...given) => (checks.areOn ? checkTokens(...given) : undefined) }
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
  const run = { organizationId, experimentId, compositeId: runId, triggeredBy: context.caller.userId }
  await addFinishedRun(context.db, { ...run, outcomes: { one: 'passed' } })
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

function tell(layer: string, tallies: Map<string, Tally>) {
  for (const [way, { tried, refused, scoped, leaked }] of tallies)
    console.log(
      `hostile SQL, ${layer}, ${way}: tried ${tried}, refused ${refused}, scoped ${scoped}, leaked: ${leaked}`,
    )
}

/** Every statement through every way in; gives a tally of each way. */
async function attemptAll(statements: readonly string[], ways: readonly EntryPoint[]) {
  const tallies = new Map(ways.map(({ name }) => [name, newTally()]))
  for (const sql of statements)
    await Promise.all(
      ways.map(({ name, forbidden, ask }) => attempt(tallies.get(name) ?? newTally(), forbidden, sql, () => ask(sql))),
    )
  return tallies
}

test('a leak would show: the shared engine holds every canary, and every way in answers what it is asked', async () => {
  const held = JSON.stringify(await shared.query(organizationId, 'SELECT agent, experiment_id FROM runs'))
  for (const canary of Object.values(canaries)) expect(held).toContain(canary)
  for (const { entryPoints } of [throughShared, throughApart])
    for (const { name, ask } of entryPoints)
      expect([name, JSON.stringify(await ask('SELECT id FROM runs'))]).toEqual([name, expect.stringContaining(runId)])
})

test('hostile SQL meets no row outside its scope through any entry point, over an engine that holds everybody’s', async () => {
  const statements = hostileStatements(targets)
  const tallies = await attemptAll(statements, throughShared.entryPoints)
  tell('checks and scope alone', tallies)
  for (const tally of tallies.values()) {
    expect(tally).toMatchObject({ tried: statements.length, leaked: 0 })
    expect(tally.refused).toBeGreaterThan(tally.scoped)
    expect(tally.scoped).toBeGreaterThan(0)
  }
  expect(statements.length).toBeGreaterThan(150)
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
})

test('hostile SQL that no check has seen reaches nothing outside its organization’s engine', async () => {
  // In this release of the engine mergeTreeIndex looks past row policies (ClickHouse issue 115230); see server-version.ts.
  const isKnownGap = (sql: string) => isOnClickhouse && /mergeTreeIndex/i.test(sql)
  const statements = hostileStatements(targets).filter((sql) => !isKnownGap(sql))
  checks.areOn = false
  const tallies = await attemptAll(statements, [
    ...throughApart.entryPoints.map(ofOrganization),
    ...straightWays(apart),
  ]).finally(() => (checks.areOn = true))
  tell('the engine of one organization alone', tallies)
  for (const tally of tallies.values()) expect(tally).toMatchObject({ tried: statements.length, leaked: 0 })
  expect(existsSync(targets.outFile)).toBe(false)
  expect(calls).toBe(0)
  const held = await apart.query(
    theirs.organizationId,
    'SELECT toUInt32(count()) AS n FROM runs FINAL WHERE organization_id = {of:UUID}',
    { parameters: { of: theirs.organizationId } },
  )
  expect(held).toEqual([{ n: 12 }])
})

/** Without the checks only the organization is held apart. */
const ofOrganization = (way: EntryPoint): EntryPoint => ({ ...way, forbidden: [canaries.organization] })

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
  tell('bombs', new Map([['the query of an experiment', tally]]))
  expect(tally.leaked).toBe(0)
  const { table } = await runScopedSql(context, { ...scoped, sql: 'SELECT count() FROM runs' })
  expect(table.read().rows).toEqual([[12]])
})
