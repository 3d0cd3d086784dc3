import { expect, test } from 'vitest'

import type { ChartRun } from '#contract/chart-runs.ts'
import { ChartMetric } from '#contract/charts.ts'
import { chooseCandidates, chooseSides } from './choose-sides.ts'
import { readCompareState } from './compare-parameters.ts'
import { scopeParameter } from '#src/features/results/view/scope-parameter.ts'
import { allPairs, comparePair, correctPairs, judge } from './compare-pairs.ts'
import { cellOf, toSides } from './compare-sides.ts'
import { formatP } from '#src/format/p-values.ts'
import { signed, signedBare } from '#src/features/results/view/measures.ts'
import { quotePair } from './quote-pair.ts'
import { scopeNote } from './ScopeNote.tsx'
import { variantsToRepeat } from './variants-to-repeat.ts'

const nothing = Object.fromEntries(ChartMetric.options.map((metric) => [metric, null])) as ChartRun['metrics']

type Given = Partial<Omit<ChartRun, 'metrics'>> & { agent: string; prompt: string; passRate: number | null }

let made = 0
function run({ passRate, ...given }: Given): ChartRun {
  made += 1
  const variantId = `${given.agent}~${given.prompt}`
  return {
    id: `${variantId}::${made}`,
    runId: `${variantId}::${made}`,
    runUuid: String(made),
    runRequestId: 'request',
    variantId,
    group: given.agent,
    agentMode: null,
    model: null,
    product: null,
    environment: null,
    versionFingerprint: 'f1',
    versionOrdinal: 1,
    repeat: 1,
    status: 'completed',
    mock: false,
    endedAt: '2026-11-20T12:00:00Z',
    ...given,
    metrics: { ...nothing, passRate },
  }
}

const repeated = (given: Omit<Given, 'passRate'>, ...passRates: number[]) =>
  passRates.map((passRate) => run({ ...given, passRate }))

const noisy = [
  ...repeated({ agent: 'careful', prompt: 'terse' }, 1, 0.8, 0.9),
  ...repeated({ agent: 'careful', prompt: 'long' }, 0.9, 0.7, 0.8),
  ...repeated({ agent: 'hasty', prompt: 'terse' }, 0.5, 0.4, 0.6),
  ...repeated({ agent: 'hasty', prompt: 'long' }, 0.4, 0.3, 0.5),
]
const names = { left: 'careful', right: 'hasty' }
const question = { compared: 'agent', measure: 'passRate', scope: null } as const

test('runs are matched by the axes that vary and whose values both sides share', () => {
  const { matchedBy, alsoDiffer } = toSides(noisy, 'agent', names)
  expect([matchedBy, alsoDiffer]).toEqual([['prompt'], []])
  expect(cellOf(noisy[0] as ChartRun, matchedBy)).toBe('terse')
})

test('an axis without shared values is named and not used for matching', () => {
  const runs = [
    ...repeated({ agent: 'careful', prompt: 'terse', model: 'large' }, 1, 0.9),
    ...repeated({ agent: 'hasty', prompt: 'terse', model: 'small' }, 0.5, 0.6),
  ]
  expect(toSides(runs, 'agent', names)).toMatchObject({ matchedBy: [], alsoDiffer: ['model'] })
})

test('versions are compared variant by variant', () => {
  const newer = repeated({ agent: 'careful', prompt: 'terse', versionFingerprint: 'f2', versionOrdinal: 2 }, 0.5, 0.5)
  const sides = toSides([...noisy, ...newer], 'version', { left: 'f1', right: 'f2' })
  expect(sides.matchedBy).toEqual(['agent', 'prompt'])
  const versions = { left: 'f1', right: 'f2' }
  const comparison = comparePair([...noisy, ...newer], versions, { ...question, compared: 'version' })
  expect(comparison.cells.map(({ cell }) => cell)).toEqual(['careful · terse'])
  expect(comparison.left.unmatched).toBe(9)
})

test('a pair is compared within its cells', () => {
  const comparison = comparePair(noisy, names, question)
  expect(comparison).toMatchObject({ verdict: 'differs', left: { used: 6 }, right: { used: 6 } })
  expect(comparison.difference).toBeCloseTo(0.4, 10)
})

test('swapping the two sides changes signs and nothing else', () => {
  const [comparison, swapped] = [
    comparePair(noisy, names, question),
    comparePair(noisy, { left: 'hasty', right: 'careful' }, question),
  ]
  expect(swapped).toMatchObject({
    pValue: expect.closeTo(comparison.pValue ?? 1, 12),
    left: comparison.right,
    difference: expect.closeTo(-(comparison.difference ?? 0), 12),
    interval: {
      low: expect.closeTo(-(comparison.interval?.high ?? 0), 12),
      high: expect.closeTo(-(comparison.interval?.low ?? 0), 12),
    },
  })
  expect(swapped.cells[0]?.left).toEqual(comparison.cells[0]?.right)
})

test('every pair is compared once, and its p-value accounts for the number of groups', () => {
  const lazy = [
    ...repeated({ agent: 'lazy', prompt: 'terse' }, 0.5, 0.3, 0.6),
    ...repeated({ agent: 'lazy', prompt: 'long' }, 0.5, 0.2, 0.4),
  ]
  const pairs = allPairs(['careful', 'hasty', 'lazy'])
  const compared = correctPairs(
    pairs,
    pairs.map((pair) => comparePair([...noisy, ...lazy], pair, question)),
    'passRate',
  )
  const [first, second, last] = compared.map(({ comparison }) => comparison.pValue ?? 1)
  const pBest = Math.max(first ?? 1, second ?? 1)
  expect(pBest).toBeLessThan(0.025)
  const [ofFirst, ofSecond, ofLast] = compared.map(({ correctedP }) => correctedP ?? 1)
  expect(Math.max(ofFirst ?? 1, ofSecond ?? 1)).toBeCloseTo(2 * pBest, 10)
  expect(ofLast).toBeCloseTo(last ?? 0, 10)
  expect(compared.map(({ comparison }) => comparison.verdict)).toEqual(['differs', 'differs', 'unresolved'])
})

test('a pair that is significant by itself is inconclusive when its correction says so', () => {
  const comparison = comparePair(noisy, names, question)
  const verdictAt = (correctedP: number | null) => judge(comparison, correctedP).verdict
  expect([0.04, 0.06, null].map(verdictAt)).toEqual(['differs', 'unresolved', 'unresolved'])
})

test('a report quotes a pair with its corrected verdict', () => {
  const comparison = comparePair(noisy, names, question)
  const quoteWith = (correctedP: number, groups: number) =>
    quotePair(comparison, {
      names: { left: 'hasty', right: 'careful' },
      labels: names,
      measure: 'passRate',
      correction: { groups, pairs: [{ ...names, comparison, correctedP }] },
    })
  expect(quoteWith(0.21, 10)).toMatch(
    /^Inconclusive on these 2 prompts: careful − hasty = .*\nCorrected p 0\.210; p .* uncorrected, among 10 groups\.$/,
  )
  expect(quoteWith(0.01, 10)).toMatch(/^careful scores .* on these 2 prompts: 95 % CI /)
  expect(quoteWith(0.001, 2)).not.toContain('orrected')
})

test('more repeats are suggested for the variants in matched cells, by version, and as mock runs where they were mock', () => {
  const lonely = run({ agent: 'careful', prompt: 'only here', passRate: 1 })
  const runs = [...noisy, lonely]
  expect(variantsToRepeat(toSides(runs, 'agent', names), comparePair(runs, names, question))).toEqual([
    {
      version: 'f1',
      ordinal: 1,
      variantIds: ['careful~long', 'careful~terse', 'hasty~long', 'hasty~terse'],
      mock: false,
    },
  ])
})

const manyPrompts = (agent: string, passRate: (place: number) => number) =>
  Array.from({ length: 9 }, (_, place) =>
    repeated({ agent, prompt: `task ${place}` }, passRate(place), passRate(place)),
  ).flat()

test('all pairs have one scope, which the prompts of every group suggest unless the URL sets one', () => {
  const runs = [...noisy, ...manyPrompts('careful', (place) => place / 10), ...manyPrompts('lazy', () => 0.5)]
  const scopeOf = (pair: typeof names, search = '') => {
    const { scope } = readCompareState(new URLSearchParams(search))
    const comparison = comparePair(runs, pair, { ...question, scope })
    return [comparison.scope, comparison.prompts.used, comparison.prompts.leftOut]
  }
  const nine = { left: 'careful', right: 'lazy' }
  // A third group ran two prompts only.
  expect(scopeOf(nine)).toEqual(['these prompts', 9, 2])
  expect(scopeOf(names)).toEqual(['these prompts', 2, 9])
  const general = `scope=${scopeParameter['prompts like these']}`
  expect(scopeOf(nine, general)).toEqual(['prompts like these', 9, 2])
  const both = [...manyPrompts('careful', (place) => place / 10), ...manyPrompts('lazy', () => 0.5)]
  expect(comparePair(both, nine, question).scope).toBe('prompts like these')
  expect(scopeOf(nine, `scope=${scopeParameter['these prompts']}`)).toEqual(['these prompts', 9, 2])
  expect(scopeOf(names, `scope=${scopeParameter['prompts like these']}`)).toEqual(['prompts like these', 2, 9])
  expect(scopeOf(nine, 'scope=nonsense')).toEqual(['these prompts', 9, 2])
})

test('groups that are prompts have a verdict on these runs, those that share no prompt none, and a note explains why', () => {
  const asked = { compared: 'prompt', measure: 'passRate', scope: 'prompts like these' } as const
  const byPrompt = noisy.map((run) => ({ ...run, group: run.prompt ?? '' }))
  const prompts = { left: 'long', right: 'terse' }
  const noteOf = (runs: ChartRun[], pair: typeof names, compared: typeof asked.compared | 'variant') => {
    const comparison = comparePair(runs, pair, { ...asked, compared })
    expect(comparison.scope).toBe('these prompts')
    return scopeNote({ comparison, compared, alsoDiffer: toSides(runs, compared, pair).alsoDiffer })
  }
  expect(noteOf(byPrompt, prompts, 'prompt')).toContain('the groups are prompts')
  const byVariant = noisy.map((run) => ({ ...run, group: run.variantId }))
  const unlike = { left: 'careful~long', right: 'hasty~terse' }
  expect(noteOf(byVariant, unlike, 'variant')).toContain('The groups have no prompt in common')
  expect(comparePair(byVariant, unlike, { ...asked, compared: 'variant' }).verdict).toBe('unmatched')
  const same = { left: 'careful~long', right: 'hasty~long' }
  expect(noteOf(byVariant, same, 'variant')).toContain('needs at least two prompts that both groups ran')
})

test('swapping the two sides changes signs and nothing else, even for prompts like these', () => {
  const runs = [...manyPrompts('careful', (place) => place / 10), ...manyPrompts('hasty', () => 0.5)]
  const [there, back] = [
    comparePair(runs, names, question),
    comparePair(runs, { left: 'hasty', right: 'careful' }, question),
  ]
  expect(there.scope).toBe('prompts like these')
  expect(back).toMatchObject({
    scope: there.scope,
    prompts: there.prompts,
    pValue: there.pValue,
    difference: -(there.difference ?? 0),
    interval: { low: -(there.interval?.high ?? 0), high: -(there.interval?.low ?? 0) },
  })
})

test('groups missing from the URL are chosen from the remaining ones', () => {
  const candidates = ['a', 'b', 'c'].map((value) => ({ value, label: value, runs: 1, solved: 0 }))
  const choose = (query: string) => {
    const { left, right } = chooseCandidates(candidates, readCompareState(new URLSearchParams(query)))
    return [left?.value, right?.value]
  }
  expect(choose('')).toEqual(['a', 'b'])
  expect(choose('left=c')).toEqual(['c', 'a'])
  expect(choose('right=a')).toEqual(['b', 'a'])
  expect(choose('left=b&right=b')).toEqual(['b', 'a'])
  expect(choose('left=gone&right=c')).toEqual(['a', 'c'])
  const rates = candidates.map((candidate, place) => ({ ...candidate, runs: 4, solved: place }))
  const best = (query: string) => {
    const { left, right } = chooseCandidates(rates, readCompareState(new URLSearchParams(query)))
    return [left?.value, right?.value]
  }
  expect(best('')).toEqual(['c', 'b'])
  expect(best('right=c')).toEqual(['b', 'c'])
  expect(best('by=version')).toEqual(['a', 'b'])
  const compare = readCompareState(new URLSearchParams('by=version'))
  expect(chooseSides(noisy, { compare, groupBy: 'agent', versions: [] })).toBeNull()
})

test('an interval is as precise as its smallest number needs, and no number is rounded to zero', () => {
  const ends = (low: number, high: number) => [low, high].map((end) => signedBare('passRate', end, [low, high]))
  expect(ends(-0.0603, 0.0931)).toEqual(['−6.0', '+9.3'])
  expect(ends(-0.1, 0.009)).toEqual(['−10.0', '+0.9'])
  expect(ends(-0.6, 0.93)).toEqual(['−60', '+93'])
  expect(ends(0.0002, 0.12)).toEqual(['+0.02', '+12.00'])
  const ticks = [-0.125, -0.1, 0, 0.025]
  expect(ticks.map((tick) => signedBare('passRate', tick, ticks))).toEqual(['−12.5', '−10.0', '0.0', '+2.5'])
  expect([signed('passRate', 0.0004), signed('toolCalls', -0.02)]).toEqual(['+0.04 points', '−0.02 tool calls'])
})

test('without a measure in the URL, groups are compared by how often they solve their tasks', () => {
  const measureIn = (query: string) => readCompareState(new URLSearchParams(query)).measure
  expect([measureIn(''), measureIn('measure=passRate'), measureIn('measure=luck')]).toEqual([
    'solved',
    'passRate',
    'solved',
  ])
})

test('differences have a sign and a unit', () => {
  expect([0.12, -0.034, 0, 0.01].map((value) => signed('passRate', value))).toEqual([
    '+12 points',
    '−3.4 points',
    '0 points',
    '+1 point',
  ])
  expect([signed('costUsd', -0.5), signed('costUsd', null)]).toEqual(['−$0.50', '–'])
})

test('no p-value is rounded to 0, to 1, or to the significance level', () => {
  expect([null, 0, 0.0004, 0.0321, 0.0499, 0.0501, 0.9996, 1].map(formatP)).toEqual([
    '–',
    '<0.001',
    '<0.001',
    '0.032',
    '<0.050',
    '0.050',
    '>0.999',
    '1.000',
  ])
})
