import { expect, test } from 'vitest'

import type { FinishedRequest, HomeView } from '#contract/home.ts'
import { attentionItems, budgetItems } from './attention-items.ts'

const at = '2026-11-27T12:00:00.000000Z'

const request = (more: Partial<FinishedRequest>): FinishedRequest => ({
  id: 'a-request',
  experimentId: 'csv',
  experimentName: 'CSV',
  ordinal: 2,
  mock: false,
  triggeredBy: { id: 'ada', email: 'ada@demo.example', name: 'Ada' },
  createdAt: at,
  runCount: 6,
  endedAt: at,
  erroredCount: 0,
  leftOutRuns: {},
  solved: { solved: 0, runs: 6 },
  groups: [],
  ...more,
})

const changed: HomeView['attention']['changedExperiments'][number] = {
  experimentId: 'csv',
  experimentName: 'CSV',
  fromOrdinal: 1,
  toOrdinal: 2,
  fromVersion: 'older',
  toVersion: 'newer',
  changedAt: at,
  flippedTests: [
    { test: 'reads quotes', passes: false, variantIds: ['tokenizer~data'] },
    { test: 'reads commas', passes: false, variantIds: ['tokenizer~data'] },
    { test: 'reads tabs', passes: true, variantIds: ['tokenizer~data', 'splitter~data'] },
  ],
}

const sentences = (view: Pick<HomeView, 'attention' | 'latest'>) => attentionItems(view).map(({ sentence }) => sentence)

test('regressions come first and fixes last, each with the diff of the two definitions', () => {
  const view = {
    latest: [request({})],
    attention: {
      changedExperiments: [changed],
      erroredRequests: [request({ erroredCount: 2, leftOutRuns: { sandbox: 2 } })],
    },
  }
  expect(sentences(view)).toEqual([
    'CSV v2: 2 tests fail more often since v1 in tokenizer · data: “reads quotes”, “reads commas”',
    'CSV v2: 2 of 6 runs errored; 2 runs left out: sandbox unavailable (2)',
    'CSV v2: 1 test passes more often since v1: “reads tabs” (2 variants)',
  ])
  for (const item of [attentionItems(view)[0], attentionItems(view)[2]])
    expect(item?.evidence[0]?.href).toBe('/experiments/csv/definition?version=newer&against=older')
})

test('a newest request that solved nothing needs attention, unless it was a mock or a flipped test says so', () => {
  const quiet = { changedExperiments: [], erroredRequests: [] }
  expect(sentences({ latest: [request({}), request({ id: 'older' })], attention: quiet })).toEqual([
    'CSV v2: none of 6 runs is solved',
  ])
  expect(sentences({ latest: [request({ mock: true })], attention: quiet })).toEqual([])
  expect(sentences({ latest: [request({ solved: { solved: 1, runs: 6 } }), request({})], attention: quiet })).toEqual(
    [],
  )
  const flipped = { ...quiet, changedExperiments: [{ ...changed, flippedTests: [] }] }
  expect(sentences({ latest: [request({})], attention: flipped })).toEqual([])
})

test('a budget needs attention from its warning on, and again at its limit', () => {
  const budget = (spentUsd: number, reservedUsd = 0) => ({
    id: 'b',
    scope: 'organization' as const,
    key: '',
    label: '',
    monthlyLimitUsd: 10,
    isHard: true,
    warnAtPercent: 80,
    spentUsd,
    reservedUsd,
    forecastUsd: 0,
    updatedAt: at,
  })
  expect(budgetItems([budget(7.9)], 'november')).toEqual([])
  const [warned] = budgetItems([budget(7, 1)], 'november')
  expect(warned?.sentence).toBe('80 % of the monthly budget of the organization is spent or reserved')
  const [full] = budgetItems([budget(10)], 'november')
  expect(full?.sentence).toBe(
    '100 % of the monthly budget of the organization is spent or reserved, so new runs are refused',
  )
  expect(full?.id).not.toBe(warned?.id)
})
