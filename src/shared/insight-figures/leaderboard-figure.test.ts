import { expect, test } from 'vitest'

import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import { planResult } from '#src/charts/result/plan-result.ts'
import { boardOf, groupOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { chartFigure } from './chart-figure.ts'
import { pin, pinnedContent } from './pinned-result.ts'

const paid = { costUsd: 40, runs: 100, solved: 79 }
const never = groupOf(
  'never',
  Array.from({ length: 20 }, () => [0, 5] as const),
)
const figureOf = (groups = [never, steady('often', 4, paid)], isWhole = true) =>
  chartFigure({ kind: 'leaderboard', experimentId: 'e', data: boardOf(...groups), isWhole })

test('a leaderboard in a report has the verdict of the Results page and the interval of each solved rate', () => {
  const { answer, whiskers, columns, rows, headline } = figureOf().content
  expect(answer).toBe('often is best: it solves 79 % of its runs.')
  expect(whiskers).toContain('95 % confidence interval (CI) for prompts like these')
  expect(columns.slice(4).map(({ name }) => name)).toEqual(['solved rate CI low', 'solved rate CI high'])
  const [best = []] = rows
  expect(best.slice(0, 4)).toEqual(['often', 100, 0.79, 0.506329])
  expect([best[4], best[5]]).toEqual([expect.closeTo(0.71, 1), expect.closeTo(0.87, 1)])
  expect(headline).toBe('40 %')
})

test('its bars have whiskers, and the note below says what they mean', () => {
  const { content } = figureOf()
  if (!content.presentation) throw new Error('not drawn')
  const plan = planResult(content, content.presentation)
  if (!('kind' in plan) || plan.kind !== 'bar') throw new Error('no bars')
  expect(plan.bars[0]?.words).toMatch(/^often: 0\.79 \(0\.6\d+ to 0\.8\d+\)$/)
  expect(plan.notes).toEqual([content.whiskers])
})

test('while runs are unfinished, the verdict is so far', () => {
  expect(figureOf(undefined, false).content.answer).toBe('So far, often is best: it solves 79 % of its runs.')
})

test('a leaderboard that was pinned before it had intervals drifts only if a value of then changes', () => {
  const pinnedRows = [
    ['often', 100, 0.79, 0.506329],
    ['never', 100, 0, null],
  ]
  const { fingerprint } = figureOf()
  expect(fingerprint).toBe(fingerprintOf({ reference: 'chart:e:leaderboard', rows: pinnedRows }))
  expect(figureOf([never, steady('often', 4, { ...paid, costUsd: 41 })]).fingerprint).not.toBe(fingerprint)
  // The same share of other prompts moves the interval and no value that was pinned.
  const elsewhere = groupOf(
    'often',
    Array.from({ length: 20 }, (_, prompt) => [prompt < 15 ? 5 : prompt === 15 ? 4 : 0, 5] as const),
    paid,
  )
  expect(figureOf([never, elsewhere]).fingerprint).toBe(fingerprint)
})

test('groups with the same solved rate are compared in the order in which the chart lists them', () => {
  const { fingerprint } = figureOf([never, { ...never, group: 'nothing', values: ['nothing'] }])
  const rows = ['never', 'nothing'].map((group) => [group, 100, 0, null])
  expect(fingerprint).toBe(fingerprintOf({ reference: 'chart:e:leaderboard', rows }))
})

test('a pinned leaderboard keeps its verdict and its intervals', () => {
  const { pinned } = pin({ ref: 'chart:e:leaderboard' }, figureOf(), '2026-11-24T03:00:00.000Z')
  expect(pinnedContent(pinned?.value)).toEqual(figureOf().content)
})
