import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { HeatmapCell, type HeatmapRuns, HeatmapSummary } from '#contract/charts.ts'
import { executeInsight as endpoint } from '#contract/insights.ts'
import { countOutcomes, type Outcome } from '#contract/outcomes.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { executeInsight } from '#platform/results/insights/execute-insight.ts'
import { addFinishedRun, addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'

const { context: opened, close } = await openTestContext()
let context = opened
const { db } = context

const execute = async (parameters: object, rest: object = {}, ref = 'chart:e:tests') => {
  const body = endpoint.body.parse({ parameters, ...rest })
  const { chartDataJson, nextCursor } = await executeInsight(context, { ...body, ref })
  const data = JSON.parse(chartDataJson) as { nextCursor?: string | null }
  expect(nextCursor).toBe(data.nextCursor)
  return data
}
const summary = async (parameters: object) => (await execute(parameters)) as HeatmapSummary
const runsOf = async (parameters: object, groupValue: string, testName: string, cursor?: string) =>
  (await execute(parameters, { resultView: 'runs', groupValue, testName, cursor })) as HeatmapRuns

const outcomeCycle: Outcome[] = ['passed', 'failed', 'passed', 'unresolved', 'errored', 'skipped', 'passed']

/** 60 runs over two versions: every axis has values, one run in five is test aware, one in three passes in full. */
const facts = Array.from({ length: 60 }, (_, index) => ({
  id: randomUUID(),
  ordinal: index < 20 ? 1 : 2,
  variantId: `v${index % 4}`,
  agent: `agent-${index % 2}`,
  agentMode: index % 3 === 0 ? null : `mode-${index % 3}`,
  model: index % 4 === 0 ? null : `model-${index % 4}`,
  product: index % 2 ? 'sdk' : null,
  environment: `env-${index % 3}`,
  prompt: `prompt-${index % 5}`,
  testAware: index % 5 === 0,
  repeat: Math.floor(index / 4) + 1,
  outcomes: Object.fromEntries(
    ['parses', 'Builds fast', 'lints'].map((name, place): [string, Outcome] => [
      name,
      index % 3 === 0 ? 'passed' : (outcomeCycle[(index + place) % outcomeCycle.length] ?? 'passed'),
    ]),
  ),
}))
type Facts = (typeof facts)[number]

beforeAll(async () => {
  const organizationId = context.organization.id
  const fingerprints = new Map<number, string>()
  for (const ordinal of [1, 2, 3]) {
    fingerprints.set(ordinal, await addVersion(db, { organizationId, experimentId: 'e', ordinal }))
  }
  await addVersion(db, { organizationId, experimentId: 'empty', ordinal: 1 })
  for (const run of facts) {
    const fingerprint = fingerprints.get(run.ordinal) ?? ''
    await addFinishedRun(db, { organizationId, experimentId: 'e', ...run, fingerprint })
  }
  await db.execute(sql`UPDATE captured_tests SET stderr_tail = 'AssertionError: 6 !== 4' WHERE outcome = 'failed'`)
  await projectRuns(context, organizationId)
})
afterAll(() => close())

const fullPass = (run: Facts) => {
  const list = Object.values(run.outcomes).filter((outcome) => outcome !== 'skipped')
  return list.length > 0 && list.every((outcome) => outcome === 'passed')
}

/** The expected heatmap, computed by a loop over the facts. */
function expectedCells(keep: (run: Facts) => boolean, group: (run: Facts) => string | null, search = '') {
  const cells = new Map<string, Record<string, unknown>>()
  for (const run of facts.filter((run) => keep(run))) {
    for (const [name, outcome] of Object.entries(run.outcomes)) {
      if (!name.toLowerCase().includes(search)) continue
      const key = JSON.stringify([group(run) ?? '', name])
      const none = { passed: 0, failed: 0, unresolved: 0, errored: 0, skipped: 0 }
      const cell = cells.get(key) ?? { group: group(run) ?? '', test: name, ...none }
      cells.set(key, { ...cell, [outcome]: Number(cell[outcome]) + 1 })
    }
  }
  return [...cells.values()]
}

const latest = (run: Facts) => run.ordinal === 2 && !run.testAware
const byVariant = (run: Facts) => run.variantId

test('the heatmap equals an independent computation, by default over the latest version with finished runs', async () => {
  const heatmap = await summary({})
  expect(heatmap).toMatchObject({ groupBy: 'variant', version: '2'.padStart(64, 'f'), excludedTestAwareRuns: 8 })
  expect(heatmap.cells).toHaveLength(12)
  expect(heatmap.cells).toEqual(expect.arrayContaining(expectedCells(latest, byVariant)))
  expect(heatmap.groups).toEqual(['v0', 'v1', 'v2', 'v3'].map((group) => ({ group, runs: 8 })))
})

const groupings: [string, (run: Facts) => string | null][] = [
  ['model', (run) => run.model],
  ['agent', (run) => run.agent],
  ['agent_mode', (run) => run.agentMode],
  ['prompt', (run) => run.prompt],
  ['environment', (run) => run.environment],
  ['product', (run) => run.product],
]
test.each(groupings)('the heatmap groups by %s, with runs without a value in the group ""', async (groupBy, group) => {
  const { cells } = await summary({ group_by: groupBy })
  const expected = expectedCells(latest, group)
  expect(cells).toHaveLength(expected.length)
  expect(cells).toEqual(expect.arrayContaining(expected))
})

const parameterCases: [string, object, (run: Facts) => boolean][] = [
  ['version all', { version: 'all' }, (run) => !run.testAware],
  ['version v1', { version: 'v1' }, (run) => run.ordinal === 1 && !run.testAware],
  ['version 1', { version: '1' }, (run) => run.ordinal === 1 && !run.testAware],
  ['version by fingerprint', { version: '1'.padStart(64, 'f') }, (run) => run.ordinal === 1 && !run.testAware],
  ['version without runs', { version: 'v3' }, () => false],
  ['version latest', { version: 'latest' }, () => false],
  ['agents', { agents: ['agent-1'] }, (run) => latest(run) && run.agent === 'agent-1'],
  ['agent_modes', { agent_modes: ['mode-1'] }, (run) => latest(run) && run.agentMode === 'mode-1'],
  ['agentModes', { agentModes: ['mode-2'] }, (run) => latest(run) && run.agentMode === 'mode-2'],
  ['models, ORed', { models: ['model-1', ''] }, (run) => latest(run) && [null, 'model-1'].includes(run.model)],
  ['products', { products: ['sdk'] }, (run) => latest(run) && run.product === 'sdk'],
  ['environments', { environments: ['env-0'] }, (run) => latest(run) && run.environment === 'env-0'],
  ['prompt_ids', { prompt_ids: ['prompt-2'] }, (run) => latest(run) && run.prompt === 'prompt-2'],
  ['axes, ANDed', { products: ['sdk'], agents: ['agent-0'] }, () => false],
  ['full_pass_only', { full_pass_only: true }, (run) => latest(run) && fullPass(run)],
  ['include_test_aware', { include_test_aware: true }, (run) => run.ordinal === 2],
]
test.each(parameterCases)('the heatmap applies the parameter %s', async (_, parameters, keep) => {
  const { cells, groups } = await summary(parameters)
  const expected = expectedCells(keep, byVariant)
  expect(cells).toHaveLength(expected.length)
  expect(cells).toEqual(expect.arrayContaining(expected))
  expect(groups.reduce((sum, group) => sum + group.runs, 0)).toBe(facts.filter(keep).length)
})

test('test_search matches a trimmed, case-insensitive part of the test’s name', async () => {
  const { cells } = await summary({ test_search: '  bUILDs ' })
  expect(cells).toEqual(expect.arrayContaining(expectedCells(latest, byVariant, 'builds')))
  expect(cells).toHaveLength(4)
  expect((await summary({ testSearch: "'; DROP TABLE runs" })).cells).toEqual([])
})

const flakyGroupings: [object, (run: Facts) => boolean][] = [
  [{}, latest],
  [{ group_by: 'product' }, latest],
  [{ version: 'all', group_by: 'agent' }, (run) => !run.testAware],
  [{ full_pass_only: true }, (run) => latest(run) && fullPass(run)],
]
test.each(flakyGroupings)(
  'with %j a test is flaky when one variant of one version both passed and failed it',
  async (parameters, keep) => {
    const { tests } = await summary(parameters)
    const kept = facts.filter(keep)
    const expected = ['parses', 'Builds fast', 'lints'].map((name) => {
      const outcomesOf = (runs: Facts[]) => runs.map(({ outcomes }) => outcomes[name] ?? 'skipped')
      const pairs = Object.values(Object.groupBy(kept, (run) => `${run.variantId} ${run.ordinal}`))
      const both = pairs
        .map((runs) => outcomesOf(runs ?? []))
        .filter((list) => list.includes('passed') && list.includes('failed'))
      return { test: name, ...countOutcomes(outcomesOf(kept)), flaky: both.length > 0, flakyVariants: both.length }
    })
    expect(tests).toHaveLength(3)
    expect(tests).toEqual(expect.arrayContaining(expected))
  },
)

test('the runs of a heatmap cell are listed, and their total equals the cell', async () => {
  const { runs, total, nextCursor } = await runsOf({ group_by: 'product' }, '', 'lints')
  const expected = facts.filter((run) => latest(run) && run.product === null)
  expect(runs.map((run) => run.runUuid).sort()).toEqual(expected.map((run) => run.id).sort())
  expect({ total, nextCursor }).toEqual({ total: expected.length, nextCursor: null })
  const [first] = runs
  const origin = facts.find((run) => run.id === first?.runUuid)
  const { variantId, agent, agentMode, model, product, environment, prompt, repeat } = origin ?? facts[0] ?? {}
  expect(first).toEqual({
    variantId,
    agent,
    agentMode,
    model,
    product,
    environment,
    prompt,
    repeat,
    id: `${variantId}::${origin?.id}`,
    runId: `${variantId}::${origin?.id}`,
    runUuid: origin?.id,
    runRequestId: expect.any(String),
    outcome: origin?.outcomes['lints'],
    durationMs: null,
    endedAt: '2026-11-20T10:00:00.000001Z',
    ...(first?.failure !== undefined && { failure: first.failure }),
  })
})

test('a run of a cell says which assertion failed, and a run that passed says nothing', async () => {
  const { runs } = await runsOf({ group_by: 'product', version: 'all' }, '', 'lints')
  const failed = runs.filter(({ outcome }) => outcome === 'failed')
  const passed = runs.filter(({ outcome }) => outcome === 'passed')
  expect(failed.length * passed.length).toBeGreaterThan(0)
  for (const { failure } of failed) expect(failure).toContain('6 !== 4')
  for (const { failure } of passed) expect(failure).toBeUndefined()
})

test('cursor pages of a heatmap cell never repeat or skip a run while new ones end', async () => {
  const organizationId = context.organization.id
  const fingerprint = await addVersion(db, { organizationId, experimentId: 'paged', ordinal: 1 })
  const add = (endedAt: string) =>
    addFinishedRun(db, { organizationId, experimentId: 'paged', fingerprint, endedAt, outcomes: { t: 'passed' } })
  const ids: string[] = []
  for (let i = 0; i < 450; i++) ids.push(await add(`2026-11-20T10:00:0${i % 2}.000000Z`))
  await projectRuns(context, organizationId)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const input = { resultView: 'runs', groupValue: 'a', testName: 't', cursor }
    const page = (await execute({}, input, 'chart:paged:tests')) as HeatmapRuns
    seen.push(...page.runs.map((run) => run.runUuid))
    cursor = page.nextCursor ?? undefined
    await add('2026-11-20T11:00:00.000000Z')
    await projectRuns(context, organizationId)
  } while (cursor)
  expect(seen).toHaveLength(450)
  expect([...seen].sort()).toEqual([...ids].sort())
})

test.each(['ins_unknown', 'chart:nowhere:tests', 'chart:nowhere:scatter', 'chart:nowhere:metric', 'chart:e:pie'])(
  '404 not_found for the unknown chart %s',
  async (ref) => {
    await expect(execute({}, {}, ref)).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('group and test names are returned unchanged, even with JSON characters', async () => {
  const organizationId = context.organization.id
  const fingerprint = await addVersion(db, { organizationId, experimentId: 'named', ordinal: 1 })
  const names = [
    '"',
    '\\',
    '\n',
    '{"ofTest":1,"flakyVariants":0,"group":"x"}',
    '{"ofTest":0,"flakyVariants":0,',
    '日本 / \u2028',
  ]
  const outcomes = Object.fromEntries(names.map((name): [string, Outcome] => [name, 'passed']))
  for (const variantId of names)
    await addFinishedRun(db, {
      organizationId,
      experimentId: 'named',
      fingerprint,
      id: randomUUID(),
      variantId,
      outcomes,
    })
  await projectRuns(context, organizationId)
  const { cells, tests, groups } = HeatmapSummary.strict().parse(await execute({}, {}, 'chart:named:tests'))
  const pairs = (all: { group: string; test: string }[]) =>
    new Set(all.map(({ group, test }) => JSON.stringify([group, test])))
  expect(pairs(cells)).toEqual(pairs(names.flatMap((group) => names.map((test) => ({ group, test })))))
  expect(cells.every((cell) => HeatmapCell.strict().safeParse(cell).success && cell.passed === 1)).toBe(true)
  for (const shown of [groups.map(({ group }) => group), tests.map(({ test }) => test)])
    expect(new Set(shown)).toEqual(new Set(names))
})

test('an experiment without finished runs has an empty heatmap of its latest version', async () => {
  expect(await execute({}, {}, 'chart:empty:tests')).toEqual({
    groupBy: 'variant',
    version: '1'.padStart(64, 'f'),
    groups: [],
    cells: [],
    tests: [],
    excludedTestAwareRuns: 0,
    leftOutRuns: {},
    mixedImages: [],
    scores: [],
  })
})

test('the heatmap of another organization has neither the experiment nor its runs', async () => {
  context = { ...opened, organization: { ...opened.organization, id: await addOrganization(db) } }
  await expect(execute({})).rejects.toMatchObject({ code: 'not_found' })
  context = opened
})
