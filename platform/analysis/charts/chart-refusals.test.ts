import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { ChartKind, charts } from '#contract/chart-kinds.ts'
import { limits } from '#contract/wire/limit.ts'
import { decodePageToken, encodePageToken } from '#contract/wire/page-token-encoding.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { type ChartRequest, executeChart } from './execute-chart.ts'

const { context, close } = await openTestContext()
const organizationId = context.organization.id

type Requested = Partial<ChartRequest>
const ask = (kind: ChartKind, request: Requested = {}, experimentId = 'e') =>
  executeChart(context, { resultView: 'summary', ...request, chart: { experimentId, kind } }).then(
    ({ chartDataJson }): unknown => JSON.parse(chartDataJson),
  )

beforeAll(async () => {
  for (const experimentId of ['e', 'other']) {
    const fingerprint = await addVersion(context.db, { organizationId, experimentId, ordinal: 1 })
    const run = { organizationId, experimentId, fingerprint, outcomes: { t: 'passed' } } as const
    for (let i = 0; i <= limits.chartRuns.max; i += 1) await addFinishedRun(context.db, { ...run, id: randomUUID() })
  }
  await projectRuns(context, organizationId)
})
afterAll(() => close())

const everyKind: [string, Requested][] = [
  ['an unknown grouping', { parameters: { group_by: 'colour' } }],
  ['a misspelled parameter', { parameters: { modls: ['m'] } }],
  ['a filter that is not a list', { parameters: { models: 'm' } }],
  ['a filter of numbers', { parameters: { agents: [1] } }],
  ['a flag that is not a boolean', { parameters: { full_pass_only: 'yes' } }],
  ['a version that is not text', { parameters: { version: 1 } }],
  ['an unknown version', { parameters: { version: 'v9' } }],
  ['runs without group_value', { resultView: 'runs', testName: 't' }],
  ['group_value with a summary', { groupValue: 'a' }],
  ['test_name with a summary', { testName: 't' }],
  ['a cursor for a summary', { cursor: 'bm9uc2Vuc2U' }],
]
const refusals: [ChartKind, string, Requested][] = [
  ...ChartKind.options.flatMap((kind) =>
    everyKind.map(([name, request]): [ChartKind, string, Requested] => [kind, name, request]),
  ),
  ['tests', 'points', { resultView: 'points' }],
  ['tests', 'runs without test_name', { resultView: 'runs', groupValue: 'a' }],
  ['tests', 'metric, a parameter of comparisons', { parameters: { metric: 'costUsd' } }],
  ['tests', 'a test_search that is not text', { parameters: { test_search: 1 } }],
  ['tests', 'an invalid cursor', { resultView: 'runs', groupValue: 'a', testName: 't', cursor: 'bm9uc2Vuc2U' }],
  ['scatter', 'test_search, a parameter of heatmaps', { parameters: { test_search: 't' } }],
  ['scatter', 'metric, a parameter of comparisons', { parameters: { metric: 'costUsd' } }],
  ['scatter', 'test_name, a parameter of heatmaps', { resultView: 'runs', groupValue: 'a', testName: 't' }],
  ['scatter', 'group_value with points', { resultView: 'points', groupValue: 'a' }],
  ['scatter', 'an invalid cursor', { resultView: 'points', cursor: 'bm9uc2Vuc2U' }],
  ['metric', 'test_search, a parameter of heatmaps', { parameters: { test_search: 't' } }],
  ['metric', 'an unknown metric', { parameters: { metric: 'beauty' } }],
  ['metric', 'a metric that is not text', { parameters: { metric: 1 } }],
]
test.each(refusals)('the chart %s answers 400 invalid_argument for %s', async (kind, _, request) => {
  await expect(ask(kind, request)).rejects.toMatchObject({ code: 'invalid_argument' })
})

const runsOf = (kind: ChartKind): Requested => ({
  resultView: 'runs',
  groupValue: 'a',
  ...('testName' in charts[kind].views.runs.shape && { testName: 't' }),
})
const Page = z.object({ nextCursor: z.string() })
const cursorOf = async (kind: ChartKind) => Page.parse(await ask(kind, runsOf(kind))).nextCursor

test.each(ChartKind.options)(
  'the chart %s answers 400 invalid_argument for a cursor of another view, chart, group or parameters',
  async (kind) => {
    const same = { ...runsOf(kind), cursor: await cursorOf(kind) }
    expect(await ask(kind, same)).toMatchObject({ nextCursor: null })
    const refused = { code: 'invalid_argument', message: expect.stringMatching(/^`cursor` /) }
    const otherKind = kind === 'scatter' ? 'metric' : 'scatter'
    await expect(ask(kind, { ...same, parameters: { version: 'v1' } })).rejects.toMatchObject(refused)
    await expect(ask(kind, { ...same, parameters: { group_by: 'agent' } })).rejects.toMatchObject(refused)
    await expect(ask(kind, { ...same, groupValue: '' })).rejects.toMatchObject(refused)
    await expect(ask(kind, same, 'other')).rejects.toMatchObject(refused)
    await expect(ask(otherKind, { ...same, ...runsOf(otherKind), testName: '' })).rejects.toMatchObject(refused)
    const points = { ...same, resultView: 'points', groupValue: undefined, testName: undefined } as const
    await expect(ask(otherKind, points)).rejects.toMatchObject(refused)
  },
)

const CursorParts = z.tuple([z.string(), z.string(), z.string(), z.string(), z.int()])
const moments = ['9999-99-99 99:99:99.999999', '2026-02-31 00:00:00.000000', '0000-01-01 00:00:00.000000']

test.each(ChartKind.options)(
  'the chart %s answers 400 invalid_argument for a cursor with an invalid time or version',
  async (kind) => {
    const parts = decodePageToken(await cursorOf(kind), CursorParts)
    if (!parts) throw new Error('The cursor has other parts')
    const [question, version, moment, runId, ordinal] = parts
    const at = (text: string, of = version) =>
      ask(kind, { ...runsOf(kind), cursor: encodePageToken([question, of, text, runId, ordinal]) })
    expect(await at(moment)).toMatchObject({ nextCursor: null })
    for (const forged of moments) await expect(at(forged)).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(at(moment, 'f'.repeat(64))).rejects.toMatchObject({ code: 'invalid_argument' })
  },
)
