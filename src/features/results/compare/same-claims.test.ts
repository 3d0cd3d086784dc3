import { describe, expect, test } from 'vitest'

import type { ChartRun } from '#contract/chart-runs.ts'
import { ChartMetric } from '#contract/charts.ts'
import { measureOf } from '#src/features/results/view/measures.ts'
import { comparisonSentence } from '#src/format/comparison-sentence.ts'
import { leaderboardContent } from '#src/shared/insight-figures/leaderboard-figure.ts'
import { answerText } from '#src/shared/leaderboard/answer.ts'
import { answerBySolved } from '#src/shared/leaderboard/solved-answer.ts'
import { differenceWords } from '#src/shared/leaderboard/difference-words.ts'
import { boardOf, groupOf } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import type { Scope } from '#statistics/scope.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { allPairs, comparePairs, correctPairs, judge } from './compare-pairs.ts'
import { quotePair } from './quote-pair.ts'

type Tally = readonly [solved: number, runs: number]

const on = (prompts: number, ...tallies: readonly Tally[]): Tally[] =>
  Array.from({ length: prompts }, (_, prompt) => tallies[prompt % tallies.length] ?? [0, 0])

const random = seededRandom(5)
const drawn = (prompts: number, chance: number): Tally[] =>
  Array.from({ length: prompts }, () => {
    const runs = 2 + Math.floor(random() * 4)
    return [Array.from({ length: runs }, () => random() < chance).filter(Boolean).length, runs] as const
  })

/** Solved and all runs of each group on each prompt. */
const experiments: Record<string, Record<string, Tally[]>> = {
  'a group that ran only the easy prompts': {
    alpha: on(10, [4, 5]),
    beta: [...on(10, [4, 5], [5, 5]), ...on(10, [0, 5], [1, 5])],
    gamma: [...on(10, [1, 5]), ...on(10, [0, 5])],
  },
  'many runs of easy prompts': {
    alpha: [...on(10, [10, 10]), ...on(10, [0, 1])],
    beta: [...on(10, [5, 5]), ...on(10, [4, 5])],
  },
  'runs that are all alike': { alpha: on(10, [2, 2]), beta: on(10, [28, 30], [29, 30], [30, 30]) },
  'a lone run of a prompt': {
    alpha: [...on(6, [4, 5], [5, 5]), [1, 1]],
    beta: [...on(6, [1, 5], [0, 5]), [1, 5]],
    gamma: [...on(6, [2, 5], [3, 5]), [1, 5]],
  },
  'groups without any difference': { alpha: on(10, [3, 3], [0, 3]), beta: on(10, [3, 3], [0, 3]) },
  'groups without a common prompt': {
    alpha: [...on(8, [5, 5]), ...on(8, [0, 0])],
    beta: [...on(8, [0, 0]), ...on(8, [1, 5])],
  },
  'nine groups': Object.fromEntries(
    Array.from({ length: 9 }, (_, place) => [`group ${place}`, drawn(20, 0.9 - place / 12)]),
  ),
}

const nothing = Object.fromEntries(ChartMetric.options.map((metric) => [metric, null])) as ChartRun['metrics']

/** The runs that Compare loads, of which the leaderboard gets the counts. */
const runsOf = (groups: Record<string, Tally[]>): ChartRun[] =>
  Object.entries(groups).flatMap(([group, tallies]) =>
    tallies.flatMap(([solved, runs], prompt) =>
      Array.from({ length: runs }, (_, repeat) => ({
        id: `${group}~${prompt}::${repeat}`,
        runId: `${group}~${prompt}::${repeat}`,
        runUuid: `${group}~${prompt}::${repeat}`,
        runRequestId: 'request',
        variantId: `${group}~${prompt}`,
        group,
        agent: group,
        agentMode: null,
        model: null,
        product: null,
        environment: null,
        prompt: `prompt ${prompt}`,
        versionFingerprint: 'f1',
        versionOrdinal: 1,
        repeat,
        status: 'completed' as const,
        mock: false,
        endedAt: '2026-11-27T12:00:00Z',
        metrics: { ...nothing, solved: Number(repeat < solved) },
      })),
    ),
  )

const close = (value: number | null | undefined) =>
  value === null || value === undefined ? value : expect.closeTo(value, 9)

/** So many prompts in a row are variants of one task. */
const worlds = [
  ...Object.entries(experiments).map(([title, groups]) => [title, groups, 1] as const),
  ['two variants of each task', experiments['nine groups'] ?? {}, 2] as const,
  ['three variants of few tasks', { alpha: drawn(12, 0.9), beta: drawn(12, 0.3) }, 3] as const,
]

describe.each(worlds)('with %s', (_title, groups, variants) => {
  const whole = boardOf(...Object.entries(groups).map(([name, tallies]) => groupOf(name, tallies)))
  const taskOf = (prompt: string) => `task ${Math.floor(Number(prompt.split(' ')[1]) / variants)}`
  const summary = variants === 1 ? whole : { ...whole, tasks: whole.prompts.map(taskOf) }
  const runs = runsOf(groups).map((run) => (variants === 1 ? run : { ...run, task: taskOf(run.prompt ?? '') }))
  const pairs = allPairs(Object.keys(groups))

  test.each<Scope | null>([null, 'these prompts', 'prompts like these'])(
    'Compare finds the difference, interval and p-values of the leaderboard for each pair (scope %s)',
    (scope) => {
      const board = toBoard(summary, scope)
      const question = { compared: 'agent', measure: 'solved', scope } as const
      const compared = correctPairs(pairs, comparePairs(runs, pairs, question), 'solved')
      for (const { left, right, comparison, correctedP } of compared) {
        const pair = board.relation.between(left, right)
        if (comparison.cells.length > 0) expect(comparison.scope).toBe(board.scope)
        expect(comparison.interval).toEqual(
          pair.interval && { low: close(pair.interval.low), high: close(pair.interval.high) },
        )
        expect([comparison.difference, comparison.pValue, correctedP]).toEqual(
          [pair.difference, pair.pValue, pair.adjustedP].map(close),
        )
      }
    },
  )

  test.each<Scope | null>([null, 'these prompts', 'prompts like these'])(
    'the sentence of Compare claims a difference exactly where the leaderboard says more than chance (scope %s)',
    (scope) => {
      const board = toBoard(summary, scope)
      const question = { compared: 'agent', measure: 'solved', scope } as const
      for (const { left, right, comparison, correctedP } of correctPairs(
        pairs,
        comparePairs(runs, pairs, question),
        'solved',
      )) {
        const judged = pairs.length === 1 ? comparison : judge(comparison, correctedP)
        const names = { left, right, words: measureOf('solved').words }
        const { chance } = differenceWords(board.relation.between(left, right), board.relation)
        expect(comparisonSentence(judged, names).startsWith(`${left} scores`)).toBe(
          chance.startsWith('more than chance'),
        )
        if (board.relation.best === left) expect(judged.verdict).toBe('differs')
        expect(judged.bound === null).toBe(board.relation.between(left, right).bound === null)
      }
    },
  )

  test('Overview, the leaderboard, the line above a pair and a report have the same verdict', () => {
    const { verdict } = answerBySolved(toBoard(summary, null), true)
    expect(leaderboardContent(summary, true).answer).toBe(verdict)
    expect(verdict.includes(' is best: ')).toBe(toBoard(summary, null).relation.best !== null)
    const { scope } = toBoard(summary, null)
    expect(answerBySolved(toBoard(summary, scope), true).verdict).toBe(verdict)
  })
})

test('the leaderboard and Compare say of the same two groups that one leads by 10 points, corrected p 0.030', () => {
  const groups = experiments['a group that ran only the easy prompts'] ?? {}
  const board = toBoard(boardOf(...Object.entries(groups).map(([name, tallies]) => groupOf(name, tallies))), null)
  expect(answerText(answerBySolved(board, true))).toBe(
    'beta is best: it solves 50 % of its runs. Lead: +10.0 points (over alpha: 90 % against 80 % on the 10 prompts that both ran). More than chance?: Yes (95 % CI +2.5 to +17.5 points, on prompts like these, corrected p 0.030).',
  )
  expect(answerBySolved(board, true).note).toBe(
    'alpha has not run 10 of the 20 prompts. Each pair of groups is compared on the prompts that both ran.',
  )
  const names = { left: 'beta', right: 'alpha' }
  const pairs = [names, { left: 'beta', right: 'gamma' }, { left: 'alpha', right: 'gamma' }]
  const question = { compared: 'agent', measure: 'solved', scope: null } as const
  const corrected = correctPairs(pairs, comparePairs(runsOf(groups), pairs, question), 'solved')
  const [first] = corrected
  expect(
    first &&
      quotePair(first.comparison, {
        names,
        labels: names,
        measure: 'solved',
        correction: { groups: 3, pairs: corrected },
      }),
  ).toBe(
    'beta scores 10.0 points higher than alpha in solved rate on prompts like these: 95 % CI +2.5 to +17.5 (10 prompts, 50 vs 50 runs, 10 prompts excluded).\nCorrected p 0.030; p 0.015 uncorrected, among 3 groups.',
  )
})

test('where prompts name their tasks, the leaderboard and Compare say how many tasks there are', () => {
  const groups = { alpha: on(24, [4, 5], [5, 5]), beta: on(24, [1, 5], [0, 5], [2, 5]) }
  const whole = boardOf(...Object.entries(groups).map(([name, tallies]) => groupOf(name, tallies)))
  const taskOf = (place: number) => `task ${place % 12}`
  const board = toBoard({ ...whole, tasks: whole.prompts.map((_, place) => taskOf(place)) }, null)
  expect(answerText(answerBySolved(board, true))).toContain('on prompts like these (12 tasks)')
  const runs = runsOf(groups).map((run) => ({ ...run, task: taskOf(Number(run.prompt?.split(' ')[1])) }))
  const question = { compared: 'agent', measure: 'solved', scope: null } as const
  const [comparison] = comparePairs(runs, [{ left: 'alpha', right: 'beta' }], question)
  if (!comparison) throw new Error('Nothing is compared')
  const names = { left: 'alpha', right: 'beta', words: measureOf('solved').words }
  expect(comparisonSentence(comparison, names)).toContain('(24 prompts of 12 tasks, 120 vs 120 runs)')
})
