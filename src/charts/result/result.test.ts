import { expect, test } from 'vitest'

import type { Presentation } from '#contract/insight-fields.ts'
import { numberAxis, timeAxis } from './axes.ts'
import { drawResult } from './draw-result.ts'
import { hitAt } from './drawing.ts'
import { fiveNumbers } from './five-numbers.ts'
import type { Markup } from './markup.ts'
import { type PresentationKind, presentationKinds } from './presentation-kinds.ts'
import { fillRoles, suggestChart } from './presentation.ts'
import { showValue, valueFormat } from './values.ts'

const column = (name: string, type: string) => ({ name, type })
const agent = column('agent', 'LowCardinality(String)')
const model = column('model', 'LowCardinality(Nullable(String))')
const rate = column('rate', 'Nullable(Float64)')
const runs = column('runs', 'UInt64')
const day = column('day', 'Date')

const textOf = (one: Markup | string): string => (typeof one === 'string' ? one : one.children.map(textOf).join(' '))

/** The paths in each group with a class. */
function pathsOf({ attributes, children }: Markup, className: string): string[][] {
  const below = children.filter((child) => typeof child !== 'string')
  return String(attributes['className']).includes(className)
    ? [below.map((path) => String(path.attributes['d']))]
    : below.flatMap((child) => pathsOf(child, className))
}

function draw(table: Parameters<typeof drawResult>[0], presentation: Presentation) {
  const drawn = drawResult(table, presentation, 600)
  if ('reason' in drawn) throw new Error(drawn.reason)
  return {
    ...drawn,
    words: drawn.hits.map(({ words }) => words),
    text: [drawn.picture, ...drawn.notes].map(textOf).join(' '),
  }
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
  expect(drawResult(table, fillRoles('heatmap', table), 600)).toEqual({
    reason: 'This chart needs a column for the X axis.',
  })
  expect(drawResult(table, { kind: 'bar', x: 'agent', y: ['gone'] }, 600)).toEqual({
    reason: 'The result has no column “gone”.',
  })
  expect(drawResult(table, { kind: 'bar', x: 'rate', y: ['agent'] }, 600)).toEqual({
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
  const counts = kinds.map((kind) => [kind, draw({ columns, rows }, fillRoles(kind, { columns, rows })).hits.length])
  expect(Object.fromEntries(counts)).toEqual({ bar: 4, line: 4, scatter: 4, box: 2, heatmap: 4, number: 0 })
})

test('the bars of a category are centered at its name, without gaps for colors that it lacks', () => {
  const rows = [['a', 'x', 1], ['b', 'y', 1], ['c', 'x', 1], ['c', 'y', 1]] // prettier-ignore
  const { hits } = draw(
    { columns: [agent, model, rate], rows },
    { kind: 'bar', x: 'agent', series: 'model', y: ['rate'] },
  )
  const [a, c1, b, c2] = hits.map(({ y }) => y)
  expect((b ?? 0) - (a ?? 0)).toBeCloseTo(((c1 ?? 0) + (c2 ?? 0)) / 2 - (b ?? 0))
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
  expect(drawResult({ columns, rows: [['a', null]] }, fillRoles('bar', noRows(...columns)), 600)).toHaveProperty(
    'reason',
  )
})

test('a missing value breaks the line of its series, and a value between two missing ones is a dot', () => {
  const columns = [runs, agent, rate]
  const linesOf = (rows: unknown[][]) =>
    pathsOf(draw({ columns, rows }, { kind: 'line', x: 'runs', series: 'agent', y: ['rate'] }).picture, 'rc-line')
  const segments = (paths: readonly string[]) => paths.map((d) => d.split('L').length)
  const whole = Array.from({ length: 5 }, (_, x) => [x, 'whole', 1])
  const split = [1, 1, null, 1, null].map((y, x) => [x, 'split', y])
  const [unbroken = [], broken = []] = linesOf([...whole, ...split])
  expect([segments(unbroken.slice(0, -1)), segments(broken.slice(0, -1))]).toEqual([[5], [2]])
  expect(broken.at(-1)?.match(/M/g)).toHaveLength(3)

  const many = Array.from({ length: 100 }, (_, x) => [x, 'many', x === 97 || x === 99 ? null : 1])
  const [crowded = []] = linesOf(many)
  expect(segments(crowded)).toEqual([97, 1])
  expect(crowded.at(-1)?.match(/M/g)).toHaveLength(1)
})

test('a value fills the gap of a row at the same place that has none', () => {
  const rows = [[0, 1], [1, null], [1, 1], [2, 1]] // prettier-ignore
  const { picture } = draw({ columns: [runs, rate], rows }, { kind: 'line', x: 'runs', y: ['rate'] })
  expect(pathsOf(picture, 'rc-line')[0]?.[0]?.split('L')).toHaveLength(3)
})

test('the chart says how many categories it omits, and labels a missing group name with a dash', () => {
  const rows = Array.from({ length: 75 }, (_, place) => [`agent ${place}`, place])
  const { hits, text } = draw({ columns: [agent, runs], rows }, fillRoles('bar', noRows(agent, runs)))
  expect(hits).toHaveLength(60)
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

test('HTML in a result is drawn as text', () => {
  const rows = [['<img src=x onerror=alert(1)>', 1], ['b', 2]] // prettier-ignore
  const { picture } = draw({ columns: [agent, runs], rows }, fillRoles('bar', noRows(agent, runs)))
  const tags = (one: Markup | string): string[] =>
    typeof one === 'string' ? [] : [one.tag, ...one.children.flatMap(tags)]
  expect(tags(picture)).not.toContain('img')
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
  expect(numberAxis([90, 100], true).low).toBe(0)
  expect(numberAxis([90, 100]).low).toBe(90)
  expect(numberAxis([20, 100]).low).toBe(0)
  expect(numberAxis([-5, -1], true)).toMatchObject({ high: 0 })
})

test('time axes have ticks at round times in UTC', () => {
  const at = (iso: string) => Date.parse(iso)
  const axis = timeAxis([at('2026-11-20T08:10:00Z'), at('2026-11-20T20:00:00Z')], 5)
  expect(axis.ticks.map(axis.format)).toEqual(['09:00', '12:00', '15:00', '18:00'])
  const narrow = timeAxis([at('2026-11-20T19:39:02Z'), at('2026-11-20T19:39:13Z')], 2)
  expect(narrow.ticks.map(narrow.format)).toEqual(['19:39:05', '19:39:10'])
  const days = timeAxis([at('2026-11-01'), at('2026-11-20')], 5)
  expect(days.ticks.length).toBeLessThanOrEqual(6)
  expect(days.ticks.map(days.format).every((name) => /^\d+ Nov$/.test(name))).toBe(true)
})

test('the pointer finds the nearest mark, and no mark far from all of them', () => {
  const { hits } = draw({ columns: [agent, runs], rows: [['a', 5], ['b', 9]] }, fillRoles('bar', noRows(agent, runs))) // prettier-ignore
  const [first] = hits
  expect(first && hitAt(hits, first.x, first.y)?.words).toBe('a: 5')
  expect(hitAt(hits, -500, -500)).toBeNull()
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
  const { text } = draw(
    { columns: [agent, model, rate], rows },
    { kind: 'heatmap', x: 'model', y: ['rate'], series: 'agent' },
  )
  for (const each of ['1,234,500', '1,234,517', '1,234,550']) expect(text).toContain(each)
  expect(text).toContain('rate from 1,234,500 to 1,234,550.')
})

test('a long number keeps the digits before its point', () => {
  expect(showValue(1_234_567.25)).toBe('1234567.25')
  expect(showValue(0.123456789)).toBe('0.123457')
  expect(showValue(Number.NaN)).toBe('NaN')
})

test('the numbers of a column have as many digits as tell neighbors apart', () => {
  const show = valueFormat([0.12345678, 0.12345679, 3], 'number')
  expect([0.12345678, 0.12345679, 3].map(show)).toEqual(['0.12345678', '0.12345679', '3'])
  expect(valueFormat([1 / 3, 2 / 3], 'number')(1 / 3)).toBe('0.333333')
})
