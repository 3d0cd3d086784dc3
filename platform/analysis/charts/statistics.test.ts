import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ChartKind } from '#contract/chart-kinds.ts'
import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { ChartMetric, singleGroupings, MetricSummary, ScatterSummary } from '#contract/charts.ts'
import { countOutcomes, type Outcome, passRate } from '#contract/outcomes.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { groupOf, type PlainRun, plainMetric, plainScatter } from '#platform/program/testing/plain-charts.ts'
import { expectSameNumbers, plainCovariance, plainDistribution } from '#platform/program/testing/plain-statistics.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { executeChart } from './execute-chart.ts'

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

const summarizeText = async (kind: ChartKind, parameters: Record<string, unknown>) =>
  (await executeChart(context, { chart: { experimentId: 'e', kind }, parameters, resultView: 'summary' })).chartDataJson
const summarize = (kind: ChartKind, parameters: Record<string, unknown>) =>
  summarizeText(kind, parameters).then((text): unknown => JSON.parse(text))
const scatter = async (parameters: Record<string, unknown>) =>
  ScatterSummary.parse(await summarize('scatter', parameters))
const metric = async (parameters: Record<string, unknown>) => MetricSummary.parse(await summarize('metric', parameters))

/** Independent of `isSolved`. */
function solvedOf({ outcomes, status }: Facts) {
  const counted = Object.values(outcomes).filter((outcome) => outcome !== 'skipped')
  if (counted.length === 0) return status === 'errored' ? 0 : null
  return counted.every((outcome) => outcome === 'passed') ? 1 : 0
}

const toPlain = (keep: (run: Facts) => boolean, group: (run: Facts) => string | null): PlainRun[] =>
  facts.filter(keep).map((run) => ({
    group: group(run),
    prompt: run.prompt,
    metrics: {
      ...run,
      solved: solvedOf(run),
      passRate: passRate(countOutcomes(Object.values(run.outcomes))),
      toolFailureRate: toolFailureRateOf(run),
    },
  }))

const toolFailureRateOf = ({ toolCalls, toolFailures }: Facts) =>
  toolCalls === null || toolCalls === 0 || toolFailures === null ? null : toolFailures / toolCalls

const latest = (run: Facts) => run.ordinal === 2 && !run.testAware
const fullPass = ({ outcomes }: Facts) => {
  const counted = Object.values(outcomes).filter((outcome) => outcome !== 'skipped')
  return counted.length > 0 && counted.every((outcome) => outcome === 'passed')
}

test.each(singleGroupings)('a scatterplot by %s equals an independent computation to 1e-9', async (groupBy) => {
  const { groups, totals, ...rest } = await scatter({ group_by: groupBy })
  expectSameNumbers({ groups, totals }, plainScatter(toPlain(latest, groupOf[groupBy])))
  const excludedTestAwareRuns = facts.filter((run) => run.ordinal === 2 && run.testAware).length
  const omissions = { excludedTestAwareRuns, leftOutRuns: {}, mixedImages: [], scores: [] }
  expect(rest).toEqual({ groupBy, version: '2'.padStart(64, 'f'), ...omissions })
})

test.each(['agent~model', 'model~agent', 'environment~agent_mode~product'])(
  'a scatterplot by several axes, %s, has a group for each combination',
  async (groupBy) => {
    const { groups } = await scatter({ group_by: groupBy })
    const axes = groupBy.split('~') as (keyof typeof groupOf)[]
    const group = (run: Facts) => axes.map((axis) => groupOf[axis](run) ?? '').join('~')
    expectSameNumbers(groups, plainScatter(toPlain(latest, group)).groups)
  },
)

test('a leaderboard counts runs, solved runs and test pass rates on each prompt as an independent computation does', async () => {
  const summary = LeaderboardSummary.parse(JSON.parse(await summarizeText('leaderboard', { group_by: 'agent~model' })))
  expect(summary.axes).toEqual(['agent', 'model'])
  const shown = facts.filter(latest)
  for (const { group, values, prompts, ...numbers } of summary.groups) {
    const runs = shown.filter((run) => `${run.agent}~${run.model ?? ''}` === group)
    expect(values.join('~')).toBe(group)
    expect(numbers).toMatchObject({
      runs: runs.length,
      errored: runs.filter(({ status }) => status === 'errored').length,
      canceled: 0,
    })
    for (const [place, index] of prompts.prompt.entries()) {
      const ofPrompt = runs.filter(({ prompt }) => prompt === summary.prompts[index])
      const counted = ofPrompt.map(solvedOf).filter((solved) => solved !== null)
      const rates = ofPrompt
        .map(({ outcomes }) => passRate(countOutcomes(Object.values(outcomes))))
        .filter((rate) => rate !== null)
      expect([prompts.runs[place], prompts.solved[place]]).toEqual([counted.length, counted.filter(Boolean).length])
      expect(prompts.scored[place]).toBe(rates.length)
      if (rates.length > 0)
        expect(prompts.passRate[place]).toBeCloseTo(rates.reduce((sum, rate) => sum + rate, 0) / rates.length, 9)
      const joint = plainCovariance(ofPrompt.map((run) => [run.costUsd, solvedOf(run)] as const))
      expectSameNumbers(
        Object.fromEntries(Object.entries(prompts.paid ?? {}).map(([name, values]) => [name, values[place]])),
        {
          runs: joint.n,
          solved: Math.round(joint.n * (joint.meanY ?? 0)),
          costUsd: joint.meanX,
          costVariance: joint.varianceX,
          covariance: joint.covariance,
        },
      )
    }
    const paid = runs.filter((run) => run.costUsd !== null && solvedOf(run) !== null)
    expect(numbers.paid).toEqual({
      costUsd: expect.closeTo(
        paid.reduce((sum, run) => sum + (run.costUsd ?? 0), 0),
        9,
      ),
      runs: paid.length,
      solved: paid.filter((run) => solvedOf(run) === 1).length,
    })
  }
  expect(summary.groups.reduce((sum, { runs }) => sum + runs, 0)).toBe(shown.length)
})

test.each(['costUsd', 'toolFailureRate', 'solved'] as const)(
  'a leaderboard that is asked for %s has its runs, mean and variance on each prompt',
  async (metric) => {
    const { groups, prompts } = LeaderboardSummary.parse(await summarize('leaderboard', { group_by: 'agent', metric }))
    const runs = toPlain(latest, ({ agent, prompt }) => `${agent} on ${prompt}`)
    for (const { group, prompts: tallies } of groups)
      for (const [place, index] of tallies.prompt.entries()) {
        const ofPrompt = runs.filter((run) => run.group === `${group} on ${prompts[index]}`)
        const expected = plainDistribution(ofPrompt.map(({ metrics }) => metrics[metric]))
        expectSameNumbers(
          {
            n: tallies.measured?.runs[place],
            mean: tallies.measured?.mean[place],
            sd: rootOf(tallies.measured?.variance[place]),
          },
          { n: expected.n, mean: expected.mean, sd: expected.sd },
        )
      }
    expect(groups).toHaveLength(2)
    const plain = LeaderboardSummary.parse(await summarize('leaderboard', { group_by: 'agent' }))
    expect(plain.groups.every(({ prompts: tallies }) => tallies.measured === undefined)).toBe(true)
  },
)

const rootOf = (variance: number | null | undefined) =>
  variance === null || variance === undefined ? null : Math.sqrt(variance)

test('runs can be grouped by the day on which they ended, and by its Monday', async () => {
  const groupsBy = async (group_by: string) =>
    (await metric({ metric: 'solved', group_by, version: 'all' })).groups.map(({ group }) => group)
  const [day = '', ...others] = await groupsBy('day')
  expect([others, /^\d{4}-\d\d-\d\d$/.test(day)]).toEqual([[], true])
  const monday = new Date(`${day}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  expect(await groupsBy('week')).toEqual([monday.toISOString().slice(0, 10)])
})

test('a leaderboard is grouped by the axes that vary besides the prompt, unless it is asked for others', async () => {
  const groupedBy = async (parameters: Record<string, unknown>) =>
    (JSON.parse(await summarizeText('leaderboard', parameters)) as { groupBy: string }).groupBy
  expect(await groupedBy({})).toBe('agent~agent_mode~model~product~environment')
  const ofModel = facts.filter((run) => latest(run) && run.model === 'model-1')
  const varying = (['agent', 'agent_mode', 'model', 'product', 'environment'] as const).filter(
    (axis) => new Set(ofModel.map(groupOf[axis])).size > 1,
  )
  expect(await groupedBy({ models: ['model-1'] })).toBe(varying.join('~'))
  expect(await groupedBy({ models: ['nobody'] })).toBe('agent')
})

test('a leaderboard is not grouped by environments of which each belongs to one prompt', async () => {
  const organizationId = context.organization.id
  const fingerprint = await addVersion(context.db, { organizationId, experimentId: 'tasks', ordinal: 1 })
  for (const agent of ['one', 'two'])
    for (const task of ['first', 'second']) {
      const run = { agent, prompt: task, environment: task, outcomes: { a: 'passed' } as const }
      await addFinishedRun(context.db, { organizationId, experimentId: 'tasks', fingerprint, ...run })
    }
  await projectRuns(context, organizationId)
  const chart = { experimentId: 'tasks', kind: 'leaderboard' } as const
  const { chartDataJson } = await executeChart(context, { chart, parameters: {}, resultView: 'summary' })
  expect(JSON.parse(chartDataJson)).toMatchObject({ groupBy: 'agent' })
})

test('an axis named twice, or unknown, is refused', async () => {
  for (const group_by of ['agent~agent', 'agent~', 'variant~agent', "agent') --", ''])
    await expect(summarize('scatter', { group_by })).rejects.toMatchObject({ code: 'invalid_argument' })
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
  const { groups, totals } = ScatterSummary.parse(JSON.parse((await executeChart(context, empty)).chartDataJson))
  expectSameNumbers({ groups, totals }, plainScatter([]))
})
