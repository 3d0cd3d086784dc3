import { expect, test } from 'vitest'

import { findIntervals } from './intervals.ts'
import { type Plan, planResult } from './plan-result.ts'
import type { PresentationKind } from './presentation-kinds.ts'
import { fillRoles, suggestChart } from './presentation.ts'

const number = (name: string) => ({ name, type: 'Nullable(Float64)' })
const agent = { name: 'agent', type: 'String' }

const intervalsOf = (names: string[], row: unknown[]) =>
  Object.fromEntries(findIntervals({ columns: names.map((name) => number(name)), rows: [row] }).of)

/** The marks of a chart: how many have whiskers, what each reads, and the notes below them. */
function draw(kind: PresentationKind, columns: (typeof agent)[], rows: unknown[][]) {
  const table = { columns, rows }
  const plan = planResult(table, fillRoles(kind, table))
  if ('reason' in plan) throw new Error(plan.reason)
  const marks = marksOf(plan)
  return {
    whiskers: marks.filter(({ range }) => range !== null).length,
    words: marks.map(({ words }) => words),
    notes: plan.notes,
  }
}

function marksOf(plan: Plan) {
  if (plan.kind === 'bar')
    return plan.bars.flatMap(({ datum, words }) => (datum ? [{ range: datum.range, words }] : []))
  if (plan.kind !== 'line' && plan.kind !== 'scatter') throw new Error(plan.kind)
  return plan.series.flatMap(({ points }) => points.flatMap((point) => (point.y === null ? [] : [point])))
}

test.each([
  ['low', 'high'],
  ['rate_low', 'rate_high'],
  ['rateLow', 'rateHigh'],
  ['Lower', 'Upper'],
  ['ci_low', 'ci_high'],
  ['rate_ci_lower', 'rate_ci_upper'],
])('the columns %s and %s are the interval of the rate', (low, high) => {
  expect(intervalsOf(['rate', low, high, 'runs'], [0.5, 0.4, 0.6, 9])).toEqual({ 0: { low: 1, high: 2 } })
})

test('an interval without a name belongs to the value that it contains', () => {
  expect(intervalsOf(['low', 'high', 'runs', 'rate'], [0.4, 0.6, 9, 0.5])).toEqual({ 3: { low: 0, high: 1 } })
  expect(intervalsOf(['rate', 'runs', 'low', 'high'], [0.5, 9, 0.4, 0.6])).toEqual({ 0: { low: 2, high: 3 } })
  expect(intervalsOf(['low', 'high', 'runs'], [0.4, 0.6, 9])).toEqual({})
})

test('a standard error belongs to the value that it is named for, or to the value before it', () => {
  expect(intervalsOf(['rate', 'cost', 'rate_se'], [0.5, 9, 0.1])).toEqual({ 0: { error: 2 } })
  expect(intervalsOf(['rate', 'cost', 'stderr'], [0.5, 9, 0.1])).toEqual({ 1: { error: 2 } })
})

test('two values each have their own interval', () => {
  const names = ['rate', 'rate_low', 'rate_high', 'cost', 'cost_low', 'cost_high']
  expect(intervalsOf(names, [0.5, 0.4, 0.6, 2, 1, 3])).toEqual({ 0: { low: 1, high: 2 }, 3: { low: 4, high: 5 } })
})

const columns = [agent, number('rate'), number('low'), number('high')]
const rows = [
  ['a', 0.5, 0.4, 0.6],
  ['b', 0.75, 0.5, 0.9],
  ['c', 1, null, null],
]

test('bars, lines and dots have whiskers where the result has an interval, and say which columns they show', () => {
  for (const kind of ['bar', 'line'] as const) {
    const { whiskers, words, notes } = draw(kind, columns, rows)
    expect(whiskers).toBe(2)
    expect(words).toEqual(['a: 0.5 (0.4 to 0.6)', 'b: 0.75 (0.5 to 0.9)', 'c: 1'])
    expect(notes).toEqual(['Whiskers: low to high.'])
  }
  const dots = draw('scatter', [number('seconds'), ...columns.slice(1)], rows.map(([, ...row], place) => [place, ...row])) // prettier-ignore
  expect(dots.whiskers).toBe(2)
})

test('a table that knows what its intervals mean says so instead of naming their columns', () => {
  const table = { columns, rows, whiskers: 'Whiskers: 95 % confidence interval.' }
  const plan = planResult(table, { kind: 'bar', x: 'agent', y: ['rate'] })
  expect('notes' in plan && plan.notes).toEqual([table.whiskers])
})

test('a standard error is drawn as its 95 % interval', () => {
  const { words, notes } = draw('bar', [agent, number('rate'), number('se')], [['a', 0.5, 0.1], ['b', 0.6, 0.1]]) // prettier-ignore
  expect(words[0]).toBe('a: 0.5 (0.304004 to 0.695996)')
  expect(notes).toEqual(['Whiskers: ± 1.96 × se (95 % of a normal distribution).'])
  const certain = draw('bar', [agent, number('rate'), number('se')], [['a', 1, 0], ['b', 0.6, 0.1]]) // prettier-ignore
  expect([certain.words[0], certain.whiskers]).toEqual(['a: 1', 1])
})

test('the ends of an interval are never chosen as values, and a result with intervals becomes bars', () => {
  const model = { name: 'model', type: 'String' }
  const grid = ['a', 'b'].flatMap((one) => ['x', 'y'].map((other, place) => [one, other, 0.5 + place / 10, 0.4, 0.9]))
  expect(suggestChart({ columns: [agent, model, ...columns.slice(1)], rows: grid })).toEqual({
    kind: 'bar',
    x: 'agent',
    y: ['rate'],
    series: 'model',
  })
})
