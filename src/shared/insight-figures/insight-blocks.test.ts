import { describe, expect, test } from 'vitest'

import { noOutcomes } from '#contract/outcomes.ts'
import {
  fingerprintOf,
  formatInsightBlock,
  type InsightBlock,
  parseInsightBlock,
} from '#contract/report-blocks/insight-blocks.ts'
import { chartFigure, groupsContent, withGroupsInWords } from './chart-figure.ts'
import type { FigureContent, LiveFigure } from './figure-content.ts'
import { describeDrift, pin, pinnedContent, unpin } from './pinned-result.ts'

const block: InsightBlock = { ref: 'pass-rate', title: 'Pass rate' }

const figure = (headline: string | undefined, more: Partial<FigureContent> = {}): LiveFigure => ({
  title: 'Pass rate',
  href: '/insights/pass-rate',
  content: {
    columns: [{ name: 'rate', type: 'Float64' }],
    rows: [[0.62]],
    rowCount: 1,
    ...(headline && { headline }),
    ...more,
  },
  fingerprint: fingerprintOf({ headline, more }),
  provenance: { kind: 'none' },
})
const drift = (then: LiveFigure, now: LiveFigure, newRuns?: number) => describeDrift(then, now, newRuns)

describe('drift of a pinned insight', () => {
  test('drift states the old value, the new value and the number of new runs', () => {
    const then = figure('62 %', { runs: 10 })
    expect(drift(then, figure('58 %', { runs: 24 }))).toBe('was 62 %, now 58 %: 14 new runs')
    expect(drift(figure('62 %'), figure('58 %'), 1)).toBe('was 62 %, now 58 %: 1 new run')
    expect(drift(figure('62 %'), figure('58 %'))).toBe('was 62 %, now 58 %')
    expect(drift(figure('62 %', { runs: 9, version: 'a' }), figure('58 %', { runs: 12, version: 'b' }))).toBe(
      'was 62 %, now 58 %: 12 runs from another version',
    )
  })

  test('drift is empty for the same result, and states when only the headline is unchanged', () => {
    const then = figure('62 %', { runs: 10 })
    expect(drift(then, then, 14)).toBeUndefined()
    expect(drift(then, figure('62 %', { runs: 12 }))).toBe('unchanged (62 %), different rows: 2 new runs')
  })

  test('drift counts rows when there is no single number, and ignores removed runs', () => {
    expect(drift(figure(undefined), figure(undefined, { rowCount: 3 }))).toBe('had 1 row, now 3')
    expect(drift(figure('62 %', { runs: 10 }), figure('58 %', { runs: 4 }), 9)).toBe('was 62 %, now 58 %')
  })
})

test('a pinned result is read back unchanged, and unpinning restores the original block', () => {
  const live = figure('62 %', { runs: 10, presentation: { kind: 'number', y: ['rate'] } })
  const pinned = pin(block, live, '2026-11-20T10:00:00.000Z')
  const parsed = parseInsightBlock(formatInsightBlock(pinned).split('\n').slice(1, -1).join('\n'))
  expect(parsed).toEqual({ block: pinned })
  expect(pinnedContent(pinned.pinned?.value)).toEqual(live.content)
  expect(unpin(pinned)).toEqual(block)
  expect(pinnedContent({ columns: 'x' })).toBeNull()
})

test('a percentage pinned without a space equals the same percentage with a space', () => {
  const { content } = figure('62%')
  expect(pinnedContent(content)?.headline).toBe('62 %')
  expect(pinnedContent(figure('12.5 USD').content)?.headline).toBe('12.5 USD')
})

test('a built-in chart without a figure of its own is the table of its groups', () => {
  const groups = [
    { group: 'careful', runs: 4, fullPasses: 3, share: 0.75 },
    { group: '', runs: 1, fullPasses: 0, share: null },
  ]
  expect(groupsContent({ version: 'all', groups })).toEqual({
    columns: [
      { name: 'group', type: 'String' },
      { name: 'runs', type: 'Nullable(Float64)' },
      { name: 'full passes', type: 'Nullable(Float64)' },
      { name: 'share', type: 'Nullable(Float64)' },
    ],
    rows: [
      ['careful', 4, 3, 0.75],
      ['none recorded', 1, 0, null],
    ],
    rowCount: 2,
    runs: 5,
    version: 'all',
  })
})

test('a figure names the values of a group and those that are not recorded, and an older pin has the same fingerprint', () => {
  const groups = [{ group: 'careful~', runs: 4 }]
  const data = { version: 'all', groups }
  const raw = groupsContent(data)
  expect(raw.rows).toEqual([['careful~', 4]])
  const named = withGroupsInWords(raw)
  expect(named.rows).toEqual([['careful · none recorded', 4]])
  expect(withGroupsInWords(named)).toEqual(named)
  const tests = {
    version: 'all',
    groupBy: 'agent~model',
    excludedTestAwareRuns: 0,
    leftOutRuns: {},
    mixedImages: [],
    tests: [],
    groups: [],
    cells: [cell],
  }
  const figure = chartFigure({ kind: 'tests', experimentId: 'x', data: tests, isWhole: true })
  expect(figure.content.rows[0]?.[1]).toBe('none recorded · opus')
  expect(figure.fingerprint).toBe(fingerprintOf({ reference: 'chart:x:tests', rows: [['adds', '~opus', 1, 2, 2]] }))
})

const cell = { ...noOutcomes, test: 'adds', group: '~opus', passed: 2 }
