import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import type { ChartKind } from '#contract/chart-kinds.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { describeChart } from './describe-chart.ts'
import { type ChartRequest, executeChart } from './execute-chart.ts'

const { context, close } = await openTestContext()
const organizationId = context.organization.id

beforeAll(async () => {
  const of = { organizationId, experimentId: 'e' }
  const fingerprints = [1, 2, 3].map((ordinal) => addVersion(context.db, { ...of, ordinal }))
  const [one = '', two = ''] = await Promise.all(fingerprints)
  const outcomes = { t: 'passed' } as const
  await addFinishedRun(context.db, { ...of, fingerprint: one, model: 'opus', prompt: 'terse', costUsd: 2, outcomes })
  await addFinishedRun(context.db, { ...of, fingerprint: two, ordinal: 2, model: 'haiku', prompt: 'terse', outcomes })
  await addFinishedRun(context.db, { ...of, fingerprint: two, ordinal: 2, agent: 'b', prompt: 'wordy', outcomes: {} })
  await addVersion(context.db, { organizationId, experimentId: 'empty', ordinal: 1 })
  await projectRuns(context, organizationId)
})
afterAll(() => close())

const describeIt = async (kind: ChartKind, experimentId = 'e') => {
  const { parameterSchemaJson, responseSchemaJson, availableValuesJson } = await describeChart(context, {
    experimentId,
    kind,
  })
  return {
    parameters: JSON.parse(parameterSchemaJson),
    response: z.fromJSONSchema(JSON.parse(responseSchemaJson)),
    titles: JSON.parse(responseSchemaJson).anyOf.map(({ title }: { title: string }) => title),
    values: JSON.parse(availableValuesJson),
  }
}

const shared = ['group_by', 'version', 'agents', 'agent_modes', 'models', 'products', 'environments', 'prompt_ids']
const flags = ['full_pass_only', 'include_test_aware', 'ended_prompts_only']
const kinds: [ChartKind, string[]][] = [
  ['tests', ['test_search']],
  ['scatter', ['quality']],
  ['metric', ['metric']],
  ['leaderboard', ['metric']],
]

test.each(kinds)('the parameter schema of %s has exactly its documented parameters', async (kind, own) => {
  const { parameters } = await describeIt(kind)
  expect(Object.keys(parameters.properties)).toEqual([...shared, ...flags, ...own])
  expect(parameters).toMatchObject({
    additionalProperties: false,
    properties: {
      group_by: kind === 'leaderboard' ? expect.not.objectContaining({ default: 'variant' }) : { default: 'variant' },
      full_pass_only: { type: 'boolean', default: false },
    },
  })
  expect(parameters.required).toBeUndefined()
})

const views: [ChartKind, Omit<ChartRequest, 'chart'>][] = [
  ['tests', { resultView: 'summary' }],
  ['tests', { resultView: 'runs', groupValue: 'a', testName: 't' }],
  ...(['leaderboard', 'scatter', 'metric'] as const).flatMap((kind): [ChartKind, Omit<ChartRequest, 'chart'>][] => [
    [kind, { resultView: 'summary' }],
    [kind, { resultView: 'points' }],
    [kind, { resultView: 'runs', groupValue: 'a' }],
  ]),
]
test.each(views)('the response schema of %s matches its answer: %j', async (kind, request) => {
  const { response, titles } = await describeIt(kind)
  expect(titles).toContain(request.resultView)
  const { chartDataJson } = await executeChart(context, { ...request, chart: { experimentId: 'e', kind } })
  const answer = JSON.parse(chartDataJson) as object
  expect(response.safeParse(answer).error).toBeUndefined()
  expect(response.safeParse({ ...answer, groupBy: 'colour' }).success).toBe(false)
})

test('the available values of a chart come from finished runs, with "" for runs without one, and versions have their number of runs', async () => {
  const { values } = await describeIt('metric')
  expect(values).toEqual({
    group_by: ['variant', 'model', 'agent', 'agent_mode', 'prompt', 'environment', 'product'],
    version: [
      { fingerprint: '2'.padStart(64, 'f'), ordinal: 2, runs: 2 },
      { fingerprint: '1'.padStart(64, 'f'), ordinal: 1, runs: 1 },
    ],
    agents: ['a', 'b'],
    agent_modes: [],
    models: ['', 'haiku', 'opus'],
    products: [],
    environments: [],
    prompt_ids: ['terse', 'wordy'],
    metric: expect.arrayContaining(['passRate', 'costUsd']),
  })
  expect((await describeIt('scatter')).values).not.toHaveProperty('metric')
  expect((await describeIt('tests', 'empty')).values).toMatchObject({ version: [], agents: [] })
})

test('404 not_found for the chart of an unknown experiment', async () => {
  await expect(describeIt('tests', 'nowhere')).rejects.toMatchObject({ code: 'not_found' })
})
