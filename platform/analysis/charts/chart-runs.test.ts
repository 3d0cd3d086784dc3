import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ChartPoints, type ChartRun, ChartRuns, pointAt } from '#contract/chart-runs.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { getRunDetail } from '#platform/queue/runs/get-run.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { readPage } from './chart-page.ts'
import { type ChartRequest, executeChart } from './execute-chart.ts'
import { listChartPoints } from './list-chart-points.ts'
import { readParameters } from './read-parameters.ts'

const { context, close } = await openTestContext()
const { db, organization } = context
const organizationId = organization.id

const ask = (request: Partial<ChartRequest>, experimentId = 'e', kind: 'scatter' | 'metric' = 'scatter') =>
  executeChart(context, { resultView: 'points', ...request, chart: { experimentId, kind } }).then(
    ({ chartDataJson, nextCursor }) => {
      const data = JSON.parse(chartDataJson) as { nextCursor: string | null }
      expect(nextCursor).toBe(data.nextCursor)
      return data
    },
  )
const askPoints = async (request: Partial<ChartRequest>, experimentId?: string) =>
  ChartPoints.parse(await ask(request, experimentId))
const askRuns = async (groupValue: string, request: Partial<ChartRequest> = {}, experimentId?: string) =>
  ChartRuns.parse(await ask({ resultView: 'runs', groupValue, ...request }, experimentId))

const toList = (page: ChartPoints) =>
  page.columns.runUuid.flatMap((_, place): ChartRun[] => {
    const point = pointAt(page, place)
    return point ? [point] : []
  })

const unmeasured = {
  passRate: null,
  costUsd: null,
  wallSeconds: null,
  toolCalls: null,
  toolFailures: null,
  toolFailureRate: null,
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
}
const facts = [
  { variantId: 'v~m', model: 'm', repeat: 1, costUsd: 0.25, inputTokens: 9, outcomes: { a: 'passed', b: 'failed' } },
  { variantId: 'v', model: null, repeat: 2, mock: true, status: 'errored', outcomes: {} },
  { variantId: 'v', model: null, repeat: 3, toolCalls: 0, outcomes: { a: 'passed' } },
] as const
const ids = facts.map(() => randomUUID())
/** As a submission creates them: the hash of a composite id differs from the run's UUID. */
const compositeIds = facts.map(({ variantId }, index) => compositeRunId(variantId, `0123456789a${index}`))
const version = { fingerprint: '1'.padStart(64, 'f'), ordinal: 1 }
const endedAtOf = (index: number) => `2026-11-20T10:00:0${index}.000001Z`

beforeAll(async () => {
  for (const experimentId of ['e', 'many', 'listed', 'moving', 'bare'])
    await addVersion(db, { organizationId, experimentId, ordinal: 1 })
  for (const [index, run] of facts.entries()) {
    const endedAt = endedAtOf(index)
    const named = { id: ids[index], compositeId: compositeIds[index] ?? '', triggeredBy: context.caller.recordedUnder }
    await addFinishedRun(db, { organizationId, experimentId: 'e', ...version, ...run, ...named, endedAt })
  }
  await projectRuns(context, organizationId)
})
afterAll(() => close())

const expectedRun = (index: number) => {
  const { variantId, model, repeat } = facts[index] ?? facts[0]
  return {
    id: compositeIds[index],
    runId: compositeIds[index],
    runUuid: ids[index] ?? '',
    runRequestId: expect.any(String),
    variantId,
    agent: 'a',
    agentMode: null,
    model,
    product: null,
    environment: null,
    prompt: null,
    group: model ?? '',
    versionFingerprint: version.fingerprint,
    versionOrdinal: 1,
    repeat,
    endedAt: endedAtOf(index),
  }
}
const expectedRuns = [
  {
    ...expectedRun(2),
    status: 'completed',
    mock: false,
    metrics: { ...unmeasured, solved: 1, passRate: 1, toolCalls: 0 },
  },
  { ...expectedRun(1), status: 'errored', mock: true, metrics: { ...unmeasured, solved: 0 } },
  {
    ...expectedRun(0),
    status: 'completed',
    mock: false,
    metrics: { ...unmeasured, solved: 0, passRate: 0.5, costUsd: 0.25, inputTokens: 9 },
  },
]

test.each(['scatter', 'metric'] as const)(
  'a %s has one point per run, last ended first, with null for missing values',
  async (kind) => {
    const page = ChartPoints.parse(await ask({ parameters: { group_by: 'model' } }, 'e', kind))
    expect(page).toMatchObject({ groupBy: 'model', version: version.fingerprint, total: 3, nextCursor: null })
    expect(page.variants).toHaveLength(2)
    expect(page.versions).toEqual([version])
    expect(toList(page)).toEqual(expectedRuns)
    expect(pointAt(page, 3)).toBeNull()
  },
)

test.each(['scatter', 'metric'] as const)(
  'a %s lists the runs of one group, and of "" for runs without a value',
  async (kind) => {
    const request = { resultView: 'runs', parameters: { groupBy: 'model' } } as const
    const none = ChartRuns.parse(await ask({ ...request, groupValue: '' }, 'e', kind))
    expect(none).toMatchObject({ groupBy: 'model', groupValue: '', version: version.fingerprint, total: 2 })
    expect(none.runs).toEqual(expectedRuns.slice(0, 2))
    const ofModel = ChartRuns.parse(await ask({ ...request, groupValue: 'm' }, 'e', kind))
    expect(ofModel.runs).toEqual(expectedRuns.slice(2))
    expect((await askRuns('nobody')).runs).toEqual([])
  },
)

test('a run can be read with the id of its point or list entry', async () => {
  const listed = [...toList(await askPoints({})), ...(await askRuns('v')).runs, ...(await askRuns('v~m')).runs]
  expect(listed).toHaveLength(6)
  for (const { id, runId, runUuid } of listed)
    expect(await getRunDetail(context, runId)).toMatchObject({ id, runId: id, runUuid })
})

test('an experiment without runs has an empty page of points', async () => {
  expect(await askPoints({}, 'bare')).toMatchObject({ total: 0, variants: [], nextCursor: null })
})

test('charts ignore rows of another organization, even in the same engine', async () => {
  const before = [await askPoints({}), await ask({ resultView: 'summary' })]
  const rows = await context.analytics.query(organizationId, "SELECT * FROM runs WHERE experiment_id = 'e'")
  const foreign = rows.map((row) => ({ ...row, organization_id: randomUUID(), run_id: randomUUID() }))
  await context.analytics.insert(organizationId, 'runs', foreign)
  expect(await context.analytics.query(organizationId, 'SELECT toUInt32(count()) AS held FROM runs')).toEqual([
    { held: rows.length * 2 },
  ])
  expect([await askPoints({}), await ask({ resultView: 'summary' })]).toEqual(before)
})

/** Many runs that ended within five microseconds, so that most end times are equal: copies of one. */
async function addRuns(experimentId: string, count: number) {
  const origin = await addFinishedRun(db, { organizationId, experimentId, ...version, outcomes: {} })
  const added = Array.from({ length: count - 1 }, (_, index) => {
    const id = randomUUID()
    const ended_at = `2026-11-20T09:00:00.00000${index % 5}Z`
    return { id, composite_id: compositeRunId('a', id), repeat: index + 2, ended_at }
  })
  // The database copies them, because thousands of rows of values take it ten times as long.
  await db.execute(sql`
    insert into runs select copy.* from runs as original, jsonb_array_elements(${JSON.stringify(added)}::jsonb) as own,
      jsonb_populate_record(original, own) as copy where original.id = ${origin}`)
  await db.execute(sql`
    insert into analytics_outbox (organization_id, run_id) select ${organizationId}, (own ->> 'id')::uuid
      from jsonb_array_elements(${JSON.stringify(added)}::jsonb) as own`)
  await projectRuns(context, organizationId)
  return [origin, ...added.map(({ id }) => id)]
}

type Page = { ids: string[]; nextCursor: string | null }

async function walk(experimentId: string, next: (cursor: string | undefined) => Promise<Page>) {
  const seen: string[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = await next(cursor)
    seen.push(...page.ids)
    cursor = page.nextCursor ?? undefined
    pages += 1
    const endedAt = '2026-11-20T11:00:00.000000Z'
    await addFinishedRun(db, { organizationId, experimentId, ...version, endedAt, outcomes: {} })
    await projectRuns(context, organizationId)
  } while (cursor)
  return { seen, pages }
}

test('pages of points never repeat or skip a run while new ones end', async () => {
  const added = await addRuns('many', 1050)
  const scope = {
    ...readParameters('scatter', {}),
    organizationId,
    experimentId: 'many',
    version: version.fingerprint,
    groupBy: 'variant',
  }
  const points = await walk('many', async (cursor) => {
    const page = readPage(cursor, ['points of many'])
    const { columns, nextCursor } = ChartPoints.parse(
      JSON.parse((await listChartPoints(context, scope, page, 1000)).chartDataJson),
    )
    expect(columns.endedAt).toEqual(columns.endedAt.toSorted().toReversed())
    return { ids: columns.runUuid, nextCursor }
  })
  expect(points).toEqual({ seen: expect.any(Array), pages: 2 })
  expect(points.seen.toSorted()).toEqual(added.toSorted())
})

test('pages of runs never repeat or skip a run while new ones end', async () => {
  const added = await addRuns('listed', 1250)
  const listed = await walk('listed', async (cursor) => {
    const page = await askRuns('a', { cursor }, 'listed')
    return { ids: page.runs.map(({ runUuid }) => runUuid), nextCursor: page.nextCursor }
  })
  expect(listed.pages).toBe(Math.ceil(added.length / 200))
  expect(listed.seen.toSorted()).toEqual(added.toSorted())
})

test('a walk stays in its first version while runs of a newer version end', async () => {
  const added = await addRuns('moving', 250)
  const first = await askRuns('a', {}, 'moving')
  const fingerprint = await addVersion(db, { organizationId, experimentId: 'moving', ordinal: 2 })
  await addFinishedRun(db, { organizationId, experimentId: 'moving', fingerprint, ordinal: 2, outcomes: {} })
  await projectRuns(context, organizationId)
  const second = await askRuns('a', { cursor: first.nextCursor ?? '' }, 'moving')
  expect([...first.runs, ...second.runs].map(({ runUuid }) => runUuid).toSorted()).toEqual(added.toSorted())
  expect((await askRuns('a', {}, 'moving')).version).toBe(fingerprint)
})
