import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { ChartMetric, ChartGroupBy, MetricSummary, ScatterSummary } from '#contract/charts.ts'
import { countOutcomes, type Outcome, passRate } from '#contract/outcomes.ts'
import { projectRuns } from '#platform/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/testing/finished-runs.ts'
import { type PlainRun, plainMetric, plainScatter } from '#platform/testing/plain-charts.ts'
import { expectSameNumbers } from '#platform/testing/plain-statistics.ts'
import { openTestContext } from '#platform/testing/test-context.ts'
import { executeChart } from './execute-chart.ts'

// An engine's first start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

const { context, close } = await openTestContext()

/** The same numbers in every run of the test. */
let seed = 42
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
const maybe = (value: number) => (random() < 0.2 ? null : value)
const outcomeOf = (): Outcome =>
  (['passed', 'passed', 'failed', 'unresolved', 'skipped'] as const)[Math.floor(random() * 5)] ?? 'passed'

/**
 * 150 runs over two versions with missing values in every metric. Model `lone` has one run, `silent` has no values, and
 * the costs have outliers.
 */
const facts = Array.from({ length: 150 }, (_, index) => {
  const model = index === 149 ? 'lone' : index % 15 === 7 ? 'silent' : index % 4 === 0 ? null : `model-${index % 4}`
  const known = (value: number) => (model === 'silent' ? null : maybe(value))
  return {
    id: randomUUID(),
    ordinal: index % 5 === 0 ? 1 : 2,
    variantId: `v${index % 6}`,
    agent: `agent-${index % 2}`,
    agentMode: index % 3 === 0 ? null : `mode-${index % 3}`,
    model,
    product: index % 2 ? 'sdk' : null,
    environment: `env-${index % 3}`,
    prompt: `prompt-${index % 5}`,
    testAware: index % 9 === 0,
    repeat: index + 1,
    status: index % 11 === 0 ? ('errored' as const) : ('completed' as const),
    costUsd: known(random() ** 8 * 40),
    wallSeconds: known(random() * 600),
    toolCalls: known(Math.floor(random() * 80)),
    toolFailures: known(Math.floor(random() * 5)),
    inputTokens: known(Math.floor(random() * 900_000_000)),
    outputTokens: known(Math.floor(random() * 90_000)),
    totalTokens: known(Math.floor(random() * 2_000_000_000)),
    outcomes: Object.fromEntries(
      model === 'silent' ? [['only', 'skipped']] : ['a', 'b', 'c'].map((name) => [name, outcomeOf()]),
    ) as Record<string, Outcome>,
  }
})
type Facts = (typeof facts)[number]

beforeAll(async () => {
  const organizationId = context.organization.id
  const fingerprints = new Map<number, string>()
  for (const ordinal of [1, 2])
    fingerprints.set(ordinal, await addVersion(context.db, { organizationId, experimentId: 'e', ordinal }))
  for (const run of facts) {
    const fingerprint = fingerprints.get(run.ordinal) ?? ''
    await addFinishedRun(context.db, { organizationId, experimentId: 'e', ...run, fingerprint })
  }
  await projectRuns(context, organizationId)
})
afterAll(() => close())

const summarize = (kind: 'scatter' | 'metric', parameters: Record<string, unknown>) =>
  executeChart(context, { chart: { experimentId: 'e', kind }, parameters, resultView: 'summary' }).then(
    (text): unknown => JSON.parse(text),
  )
const scatter = async (parameters: Record<string, unknown>) =>
  ScatterSummary.parse(await summarize('scatter', parameters))
const metric = async (parameters: Record<string, unknown>) => MetricSummary.parse(await summarize('metric', parameters))

const groupOf: Record<ChartGroupBy, (run: Facts) => string | null> = {
  variant: (run) => run.variantId,
  model: (run) => run.model,
  agent: (run) => run.agent,
  agent_mode: (run) => run.agentMode,
  prompt: (run) => run.prompt,
  environment: (run) => run.environment,
  product: (run) => run.product,
}

const toPlain = (keep: (run: Facts) => boolean, group: (run: Facts) => string | null): PlainRun[] =>
  facts.filter(keep).map((run) => ({
    group: group(run),
    metrics: { ...run, passRate: passRate(countOutcomes(Object.values(run.outcomes))) },
  }))

const latest = (run: Facts) => run.ordinal === 2 && !run.testAware
const fullPass = ({ outcomes }: Facts) => {
  const counted = Object.values(outcomes).filter((outcome) => outcome !== 'skipped')
  return counted.length > 0 && counted.every((outcome) => outcome === 'passed')
}

test.each(ChartGroupBy.options)('a scatterplot by %s equals an independent computation to 1e-9', async (groupBy) => {
  const { groups, totals, ...rest } = await scatter({ group_by: groupBy })
  expectSameNumbers({ groups, totals }, plainScatter(toPlain(latest, groupOf[groupBy])))
  const excludedTestAwareRuns = facts.filter((run) => run.ordinal === 2 && run.testAware).length
  expect(rest).toEqual({ groupBy, version: '2'.padStart(64, 'f'), excludedTestAwareRuns })
})

test.each(ChartMetric.options)('a comparison of %s equals an independent computation to 1e-9', async (name) => {
  const summary = await metric({ metric: name, group_by: 'model' })
  expect(summary).toMatchObject({ metric: name, groupBy: 'model', version: '2'.padStart(64, 'f') })
  expectSameNumbers(summary.groups, plainMetric(toPlain(latest, groupOf.model), name))
})

test('a metric comparison is of costUsd by default, and finds outliers beyond the whiskers', async () => {
  const summary = await metric({ version: 'all' })
  expect(summary.metric).toBe('costUsd')
  expect(summary.groups.some(({ outliers }) => outliers > 0)).toBe(true)
})

const parameterCases: [string, Record<string, unknown>, (run: Facts) => boolean][] = [
  ['version all', { version: 'all' }, (run) => !run.testAware],
  ['version v1', { version: 'v1' }, (run) => run.ordinal === 1 && !run.testAware],
  ['agents', { agents: ['agent-1'] }, (run) => latest(run) && run.agent === 'agent-1'],
  ['agent_modes', { agent_modes: ['mode-1'] }, (run) => latest(run) && run.agentMode === 'mode-1'],
  [
    'models, combined with OR, "" for none',
    { models: ['model-1', ''] },
    (run) => latest(run) && [null, 'model-1'].includes(run.model),
  ],
  ['products', { products: ['sdk'] }, (run) => latest(run) && run.product === 'sdk'],
  ['environments', { environments: ['env-0'] }, (run) => latest(run) && run.environment === 'env-0'],
  ['promptIds', { promptIds: ['prompt-2'] }, (run) => latest(run) && run.prompt === 'prompt-2'],
  ['full_pass_only', { full_pass_only: true }, (run) => latest(run) && fullPass(run)],
  ['include_test_aware', { include_test_aware: true }, (run) => run.ordinal === 2],
  ['a filter that nothing matches', { models: ['nobody'] }, () => false],
]
test.each(parameterCases)('parameter %s filters both charts in the same way', async (_, parameters, keep) => {
  const plain = toPlain(keep, groupOf.variant)
  const { groups, totals } = await scatter(parameters)
  expectSameNumbers({ groups, totals }, plainScatter(plain))
  expectSameNumbers((await metric(parameters)).groups, plainMetric(plain, 'costUsd'))
})

test('a missing value is null, never zero, and a single run has no deviation', async () => {
  const { groups } = await scatter({ group_by: 'model' })
  const silent = groups.find(({ group }) => group === 'silent')
  expect(silent?.runs).toBeGreaterThan(1)
  expect(silent?.metrics.costUsd).toMatchObject({ n: 0, missing: silent?.runs, mean: null, min: null, median: null })
  expect(silent?.metrics.passRate).toMatchObject({ n: 0, mean: null })
  expect(silent?.covariances.costUsd).toMatchObject({ n: 0, meanX: null, covariance: null })
  const lone = groups.find(({ group }) => group === 'lone')
  expect(lone?.runs).toBe(1)
  expect(lone?.metrics.passRate.sd).toBeNull()
  expect(Object.values(lone?.covariances ?? {}).map(({ varianceY }) => varianceY)).toEqual(Array(7).fill(null))
})

test('an experiment without finished runs has no groups, and totals of zero runs', async () => {
  await addVersion(context.db, { organizationId: context.organization.id, experimentId: 'empty', ordinal: 1 })
  const empty = { chart: { experimentId: 'empty', kind: 'scatter' }, resultView: 'summary' } as const
  const { groups, totals } = ScatterSummary.parse(JSON.parse(await executeChart(context, empty)))
  expectSameNumbers({ groups, totals }, plainScatter([]))
})
