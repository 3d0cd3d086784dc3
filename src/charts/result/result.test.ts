import { expect, test } from 'vitest'

import type { Presentation } from '#contract/insight-fields.ts'
import { numberAxis, timeAxis } from './axes.ts'
import { utc } from './time-zones.ts'
import { fiveNumbers } from './five-numbers.ts'
import { type Plan, planResult } from './plan-result.ts'
import { type PresentationKind, presentationKinds } from './presentation-kinds.ts'
import { fillRoles, suggestChart } from './presentation.ts'
import { shortNumber, showValue, type Table, valueFormat } from './values.ts'

const column = (name: string, type: string) => ({ name, type })
const agent = column('agent', 'LowCardinality(String)')
const model = column('model', 'LowCardinality(Nullable(String))')
const rate = column('rate', 'Nullable(Float64)')
const runs = column('runs', 'UInt64')
const day = column('day', 'Date')

/** The plan of a chart, with the words of its marks. */
function draw(table: Table, presentation: Presentation) {
  const plan = planResult(table, presentation)
  if ('reason' in plan) throw new Error(plan.reason)
  return { plan, words: wordsIn(plan), text: plan.notes.join(' ') }
}

function wordsIn(plan: Plan): string[] {
  if (plan.kind === 'bar') return plan.bars.flatMap(({ datum, words }) => (datum ? [words] : []))
  if (plan.kind === 'box') return plan.groups.map(({ words }) => words)
  if (plan.kind === 'heatmap') return plan.cells.map(({ words }) => words)
  if (plan.kind === 'number') return []
  return plan.series.flatMap(({ points }) => points.flatMap((point) => (point.y === null ? [] : [point.words])))
}

const cellOf = (type: string, row: number) =>
  type === 'Date' ? `2026-11-0${(row % 9) + 1}` : /Int|Float/.test(type) ? row / 2 : `value ${row}`

/** Rows whose values all differ, except that every second row repeats the texts of the first columns. */
const withRows = (columns: (typeof agent)[], rows: number) => ({
  columns,
  rows: Array.from({ length: rows }, (_, row) =>
    columns.map(({ type }, place) =>
      type.includes('String') ? `value ${place === 0 ? row % 2 : Math.floor(row / 2)}` : cellOf(type, row),
    ),
  ),
})

const noRows = (...columns: (typeof agent)[]) => ({ columns, rows: [] })

test('the column types select the first chart', () => {
  const kindOf = (columns: (typeof agent)[], rows: number) => suggestChart(withRows(columns, rows))?.kind ?? null
  expect(kindOf([agent, rate], 5)).toBe('bar')
  expect(kindOf([day, rate], 5)).toBe('line')
  expect(kindOf([day, agent, rate], 5)).toBe('line')
  expect(kindOf([agent, model, rate], 8)).toBe('heatmap')
  expect(kindOf([runs, rate], 50)).toBe('scatter')
  expect(kindOf([rate], 50)).toBe('box')
  expect(kindOf([agent, rate], 1)).toBe('number')
  expect(kindOf([agent, model], 5)).toBeNull()
  expect(kindOf([agent, rate], 0)).toBeNull()
})

test('the first chart shows a rate that varies instead of a constant count or an id', () => {
  const columns = [column('experiment_id', 'String'), agent, runs, column('version_ordinal', 'UInt32'), rate]
  const rows = [
    ['e', 'a', 400, 1, 0.5],
    ['e', 'b', 400, 2, 0.7],
    ['e', 'c', 400, 3, 0.6],
  ]
  expect(suggestChart({ columns, rows })).toEqual({ kind: 'bar', x: 'agent', y: ['rate'] })
  const sameRate = rows.map((row) => [...row.slice(0, 4), 1])
  expect(suggestChart({ columns, rows: sameRate })).toMatchObject({ x: 'agent', y: ['version_ordinal'] })
  const counts = { columns: [agent, runs], rows: rows.map((row, place) => [row[1], place]) }
  expect(suggestChart(counts)).toMatchObject({ x: 'agent', y: ['runs'] })
})

test('names that no two rows share are bars and not colors', () => {
  const columns = [day, column('id', 'String'), rate]
  const rows = [['2026-11-01', 'a::1', 0.5], ['2026-11-02', 'a::2', 0.7]] // prettier-ignore
  expect(suggestChart({ columns, rows })).toEqual({ kind: 'line', x: 'day', y: ['rate'] })
})

test('a selected kind of chart uses columns that fit, or says which column is missing', () => {
  expect(fillRoles('line', noRows(day, agent, rate))).toEqual({ kind: 'line', x: 'day', y: ['rate'], series: 'agent' })
  expect(fillRoles('heatmap', noRows(agent, model, rate))).toMatchObject({ x: 'model', series: 'agent', y: ['rate'] })
  const table = { columns: [agent, rate], rows: [['a', 1]] }
  expect(planResult(table, fillRoles('heatmap', table))).toEqual({
    reason: 'This chart needs a column for the X axis.',
  })
  expect(planResult(table, { kind: 'bar', x: 'agent', y: ['gone'] })).toEqual({
    reason: 'The result has no column “gone”.',
  })
  expect(planResult(table, { kind: 'bar', x: 'rate', y: ['agent'] })).toEqual({
    reason: '“agent” isn’t numeric.',
  })
})

test('every kind of chart draws one mark per value', () => {
  const columns = [agent, model, rate, runs]
  const rows = [
    ['a', 'x', 0.5, 4],
    ['a', 'y', 0.25, 8],
    ['b', 'x', 1, 2],
    ['b', 'y', 0.75, 6],
  ]
  const kinds = Object.keys(presentationKinds) as PresentationKind[]
  const counts = kinds.map((kind) => [
    kind,
    wordsIn(draw({ columns, rows }, fillRoles(kind, { columns, rows })).plan).length,
  ])
  expect(Object.fromEntries(counts)).toEqual({ bar: 4, line: 4, scatter: 4, box: 2, heatmap: 4, number: 0 })
})

test('the bars of a category stand together around its name, without gaps for colors that it lacks', () => {
  const rows = [['a', 'x', 1], ['b', 'y', 1], ['c', 'x', 1], ['c', 'y', 1]] // prettier-ignore
  const table = { columns: [agent, model, rate], rows }
  const { plan } = draw(table, { kind: 'bar', x: 'agent', series: 'model', y: ['rate'] })
  const drawn = plan.kind === 'bar' ? plan.bars.map(({ name, datum }) => (datum ? (name ?? 'unnamed') : '')) : []
  expect(drawn).toEqual(['a', '', 'b', '', 'c', 'unnamed'])
})

test('bars of one kind have the first color, whatever their name is', () => {
  const rows = [
    ['a', 0.5],
    ['b', 0.7],
  ]
  for (const name of ['rate', 'solved_rate', 'cost', 'runs']) {
    const columns = [agent, column(name, 'Float64')]
    const { plan } = draw({ columns, rows }, { kind: 'bar', x: 'agent', y: [name] })
    expect(plan.kind === 'bar' && plan.bars.map(({ color }) => color)).toEqual([0, 0])
  }
})

test('a missing value is omitted and counted, never drawn as zero', () => {
  const columns = [agent, rate]
  const rows = [
    ['a', null],
    ['b', 0],
    ['c', 'NaN'],
  ]
  const { words, text } = draw({ columns, rows }, fillRoles('bar', noRows(...columns)))
  expect(words).toEqual(['b: 0'])
  expect(text).toContain('2 missing values omitted')
  expect(planResult({ columns, rows: [['a', null]] }, fillRoles('bar', noRows(...columns)))).toHaveProperty('reason')
})

/** The values of the first line, with `alone` after a value between two gaps. */
function lineOf(rows: unknown[][], series?: string) {
  const { plan } = draw({ columns: [runs, agent, rate], rows }, { kind: 'line', x: 'runs', y: ['rate'], ...(series && { series }) }) // prettier-ignore
  if (plan.kind !== 'line') throw new Error(plan.kind)
  return plan.series.map(({ points }) =>
    points.map((point) => (point.y === null ? null : point.isAlone ? 'alone' : point.y)),
  )
}

test('a missing value breaks the line of its series, and a value between two missing ones stands alone', () => {
  const whole = Array.from({ length: 5 }, (_, x) => [x, 'whole', 1])
  const split = [1, 1, null, 1, null].map((y, x) => [x, 'split', y])
  expect(lineOf([...whole, ...split], 'agent')).toEqual([
    [1, 1, 1, 1, 1],
    [1, 1, null, 'alone', null],
  ])
})

test('a value fills the gap of a row at the same place that has none', () => {
  const rows = [[0, '', 1], [1, '', null], [1, '', 1], [2, '', 1]] // prettier-ignore
  expect(lineOf(rows)).toEqual([[1, 1, 1]])
})

test('the chart says how many categories it omits, and labels a missing group name with a dash', () => {
  const rows = Array.from({ length: 75 }, (_, place) => [`agent ${place}`, place])
  const { words, text } = draw({ columns: [agent, runs], rows }, fillRoles('bar', noRows(agent, runs)))
  expect(words).toHaveLength(60)
  expect(text).toContain('Showing 60 of 75 categories. See Table for all.')
  const unnamed = draw({ columns: [model, runs], rows: [[null, 3], ['m', 4]] }, fillRoles('bar', noRows(model, runs))) // prettier-ignore
  expect(unnamed.words).toEqual(['–: 3', 'm: 4'])
})

test('the chart counts rows that are hidden behind another mark', () => {
  const rows = [['a', 'x', 1, 1], ['a', 'x', 0, 2], ['b', 'x', 1, 3]] // prettier-ignore
  const table = { columns: [agent, model, rate, runs], rows }
  for (const kind of ['bar', 'heatmap'] as const)
    expect(draw(table, { ...fillRoles(kind, table), y: ['rate'] }).text).toContain('1 row hidden behind another')
  expect(draw({ columns: [agent, rate], rows: [['a', 1], ['b', 1]] }, fillRoles('bar', noRows(agent, rate))).text).not.toContain('hidden') // prettier-ignore
})

test('quartiles are R type 7 and whiskers end within 1.5 boxes', () => {
  // R: quantile(c(1,2,3,4,5,6,7,100)); boxplot.stats
  expect(fiveNumbers([7, 3, 1, 100, 5, 2, 6, 4])).toEqual({
    n: 8,
    q1: 2.75,
    median: 4.5,
    q3: 6.25,
    lowerWhisker: 1,
    upperWhisker: 7,
    outliers: [100],
  })
})

test('bars start at zero; other axes start near the smallest value, or at zero when it is near', () => {
  expect(numberAxis([90, 100], true).domain[0]).toBe(0)
  expect(numberAxis([90, 100]).domain[0]).toBe(90)
  expect(numberAxis([20, 100]).domain[0]).toBe(0)
  expect(numberAxis([-5, -1], true).domain[1]).toBe(0)
})

test('time axes have ticks at round times in UTC', () => {
  const at = (iso: string) => Date.parse(iso)
  const axis = timeAxis([at('2026-11-20T08:10:00Z'), at('2026-11-20T20:00:00Z')], utc, 5)
  expect(axis.ticks.map(axis.format)).toEqual(['09:00', '12:00', '15:00', '18:00'])
  const narrow = timeAxis([at('2026-11-20T19:39:02Z'), at('2026-11-20T19:39:13Z')], utc, 2)
  expect(narrow.ticks.map(narrow.format)).toEqual(['19:39:05', '19:39:10'])
  const days = timeAxis([at('2026-11-01'), at('2026-11-20')], utc, 5)
  expect(days.ticks.length).toBeLessThanOrEqual(6)
  expect(days.ticks.map(days.format).every((name) => /^\d+ Nov$/.test(name))).toBe(true)
})

test('the ticks of times that are milliseconds apart show milliseconds', () => {
  const start = Date.parse('2026-11-20T10:00:00.000Z')
  const axis = timeAxis([start, start + 9])
  expect(axis.ticks.map(axis.format)).toEqual(Array.from({ length: 10 }, (_, ms) => `10:00:00.00${ms}`))
  const long = timeAxis([start + 100, start + 1900])
  expect(long.ticks.map(long.format).slice(0, 2)).toEqual(['10:00:00.200', '10:00:00.400'])
})

test('times and numbers that differ late have a bar each, and their marks read differently', () => {
  const times = ['2026-11-20T10:00:00.000000001Z', '2026-11-20T10:00:00.000000002Z']
  const bars: Presentation = { kind: 'bar', x: 'at', y: ['rate'] }
  const rows = times.map((time, place) => [time, 0.12345678 + place * 1e-8])
  expect(draw({ columns: [column('at', 'DateTime64(9)'), rate], rows }, bars).words).toEqual([
    '2026-11-20 10:00:00.000000001: 0.12345678',
    '2026-11-20 10:00:00.000000002: 0.12345679',
  ])
  const numbers = {
    columns: [column('at', 'Float64'), rate],
    rows: [
      [0.12345678, 1],
      [0.12345679, 2],
    ],
  }
  expect(draw(numbers, bars).words).toEqual(['0.12345678: 1', '0.12345679: 2'])
})

test('values are readable and keep the digits that matter', () => {
  expect([null, 1 / 3, 12, [1, 'a'], true, '9007199254740993'].map((value) => showValue(value))).toEqual([
    '–',
    '0.333333',
    '12',
    '[1,"a"]',
    'true',
    '9007199254740993',
  ])
  expect(showValue('2026-11-20T10:00:00.500Z', 'time')).toBe('2026-11-20 10:00:00')
})

test('the ticks of an axis have as many digits as tell them apart', () => {
  const ticksOf = (values: number[]) => {
    const { ticks, format } = numberAxis(values)
    return ticks.map((tick) => format(tick))
  }
  expect(ticksOf([120_000, 120_090])).toEqual(['120,000', '120,020', '120,040', '120,060', '120,080', '120,100'])
  expect(ticksOf([1e9, 1e9 + 0.009])).toEqual(
    ['0', '002', '004', '006', '008', '01'].map((part) =>
      part === '0' ? '1,000,000,000' : `1,000,000,000.0${part.slice(1)}`,
    ),
  )
  expect(ticksOf([0, 90_000])).toEqual(['0', '20K', '40K', '60K', '80K', '100K'])
  expect(ticksOf([1_790_000_000, 1_790_000_004])).toContain('1,790,000,003')
})

test('the cells of a heatmap and its range show the difference of close values', () => {
  const rows = [1_234_500, 1_234_517, 1_234_550].map((value, place) => ['one', `column ${place}`, value])
  const { plan, text } = draw(
    { columns: [agent, model, rate], rows },
    { kind: 'heatmap', x: 'model', y: ['rate'], series: 'agent' },
  )
  expect(plan.kind === 'heatmap' && plan.cells.map(({ exact }) => exact)).toEqual([
    '1,234,500',
    '1,234,517',
    '1,234,550',
  ])
  expect(text).toContain('rate from 1,234,500 to 1,234,550.')
})

test('the ticks of numbers that are far from one are short and differ', () => {
  const namesOf = (values: number[]) => {
    const { ticks, format } = numberAxis(values)
    return ticks.map((tick) => format(tick))
  }
  expect(namesOf([1e15, 1e15 + 2]).slice(0, 2)).toEqual(['1,000,000,000,000,000', '1,000,000,000,000,001'])
  expect(namesOf([0, 1e-15]).at(-1)).toBe('1E-15')
  for (const values of [
    [2 ** 53 - 2, 2 ** 53],
    [5e-324, 1e-323],
    [-1.7e308, 1.7e308],
    [1e300, 2e300],
    [1e20, 1e20 + 1e6],
  ]) {
    const names = namesOf(values)
    expect(new Set(names).size).toBe(names.length)
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(30)
  }
  expect([shortNumber(1.7e308), shortNumber(1234e12), shortNumber(-2e-300)]).toEqual(['1.7E308', '1.234E15', '-2E-300'])
})

test('a long number keeps the digits before its point', () => {
  expect(showValue(1_234_567.25)).toBe('1234567.25')
  expect(showValue(0.123456789)).toBe('0.123457')
  expect(showValue(Number.NaN)).toBe('NaN')
})

test('the times of a column have fractions if seconds do not tell them apart', () => {
  const times = ['2026-11-20T10:00:00.500Z', '2026-11-20T10:00:00.750Z']
  expect(times.map(valueFormat(times, 'time'))).toEqual(['2026-11-20 10:00:00.500', '2026-11-20 10:00:00.750'])
  expect(valueFormat([times[0], times[0], null], 'time')(times[0])).toBe('2026-11-20 10:00:00')
})

test('the numbers of a column have as many digits as tell neighbors apart', () => {
  const show = valueFormat([0.12345678, 0.12345679, 3], 'number')
  expect([0.12345678, 0.12345679, 3].map(show)).toEqual(['0.12345678', '0.12345679', '3'])
  expect(valueFormat([1 / 3, 2 / 3], 'number')(1 / 3)).toBe('0.333333')
})
