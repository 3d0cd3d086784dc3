import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'

import { LinkContext } from '#src/ui/LinkContext.ts'
import { BalancePlot } from './balance/BalancePlot.tsx'
import { BandPlot } from './bands/BandPlot.tsx'
import { StackedBars } from './bars/StackedBars.tsx'
import { BoxPlot } from './box/BoxPlot.tsx'
import { IntervalPlot } from './interval/IntervalPlot.tsx'
import { ResultChart } from './result/ResultChart.tsx'
import { ScatterPlot } from './scatter/ScatterPlot.tsx'
import { legendRows, namedInLegend } from './trend/trend-rows.ts'
import { TrendPlot } from './trend/TrendPlot.tsx'

// The document of the tests loads no fonts, for which canvases wait.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

/** Draws a chart so many pixels wide, since a document of the tests has no layout. Returns how many of each part it has. */
function draw(chart: ReactNode, width = 900) {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return this.matches('.recharts-responsive-container') ? new DOMRect(0, 0, width, 300) : new DOMRect()
  })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    root.unmount()
    vi.restoreAllMocks()
  })
  root.render(<MantineProvider>{chart}</MantineProvider>)
  return (...parts: string[]) =>
    expect.poll(() => parts.map((part) => document.querySelectorAll(`svg .recharts-${part}`).length))
}

const step = (x: string, value: number | null) => ({
  group: `careful~${x}`,
  x,
  value,
  interval: value === null ? null : { low: value - 0.1, high: value + 0.1 },
  text: `${value}`,
  detail: '4 runs',
})

test('Recharts draws the lines, intervals and axes of a trend', async () => {
  const parts = draw(
    <TrendPlot
      label="Solved"
      xs={['v1', 'v2']}
      lines={[
        { label: 'careful', places: [step('v1', 0.2), step('v2', 0.9)] },
        { label: 'hasty', places: [step('v1', 0.5), step('v2', 0.4)] },
      ]}
      format={(value) => `${value * 100} %`}
    />,
  )
  await parts('line-curve', 'errorBar', 'cartesian-axis-tick').toEqual([2, 4, 7])
  expect(document.body.textContent).toContain('25 %')
})

test('arrow keys move the tooltip of a trend, which screen readers read', async () => {
  const lines = [{ label: 'careful', places: [step('v1', 0.2), step('v2', 0.9)] }]
  draw(<TrendPlot label="Solved" xs={['v1', 'v2']} lines={lines} format={String} />)
  const chart = () => document.querySelector<SVGElement>('[role="application"][aria-label="Solved"]')
  await expect.poll(() => chart()?.getAttribute('tabindex')).toBe('0')
  const read = () => document.querySelector('[aria-live="polite"]')?.textContent
  chart()?.focus()
  await expect.poll(read).toBe('v1careful0.24 runs')
  chart()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  await expect.poll(read).toBe('v2careful0.94 runs')
})

test('the points of a trend open their runs; Tab reaches the last of a line, and the arrow keys the others', async () => {
  const lines = [{ label: 'careful', places: [step('v1', 0.2), step('v2', 0.9)] }]
  const onSelect = vi.fn()
  draw(<TrendPlot label="Solved" xs={['v1', 'v2']} lines={lines} format={String} onSelect={onSelect} />)
  const marks = () => [...document.querySelectorAll<SVGElement>('figure [role="button"]')]
  await expect
    .poll(() => marks().map((mark) => [mark.getAttribute('aria-label'), mark.tabIndex]))
    .toEqual([
      ['careful, v1: 0.2, 4 runs. Show runs', -1],
      ['careful, v2: 0.9, 4 runs. Show runs', 0],
    ])
  marks()[1]?.focus()
  marks()[1]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
  expect(document.activeElement).toBe(marks()[0])
  marks()[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect(onSelect.mock.calls).toEqual([['careful~v1']])
})

test('a long trend shows the part that was chosen, and tells which one a reader chooses with the keyboard', async () => {
  const xs = Array.from({ length: 12 }, (_, index) => `v${index + 1}`)
  const lines = [{ label: 'careful', places: xs.map((x) => step(x, 0.5)) }]
  const onZoom = vi.fn()
  const trend = (steps: number, zoom = { from: 'v3', to: 'v9' }) => (
    <TrendPlot label="Solved" xs={xs.slice(0, steps)} lines={lines} format={String} zooming={{ zoom, onZoom }} />
  )
  const names = () =>
    [...document.querySelectorAll('.recharts-xAxis-tick-labels .recharts-cartesian-axis-tick-value')].map(
      (name) => name.textContent,
    )
  draw(trend(12))
  await expect.poll(names).toEqual(['v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9'])
  const [left] = document.querySelectorAll<SVGElement>('.recharts-brush-traveller')
  left?.focus()
  left?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  await expect.poll(() => onZoom.mock.calls).toEqual([[{ from: 'v4', to: 'v9' }]])
})

test.each([
  ['a trend of few steps has nothing to choose', 5, { from: 'v2', to: 'v3' }],
  ['a part that a trend does not have leaves it whole', 12, { from: 'v9', to: 'v20' }],
])('%s', async (_, steps, zoom) => {
  const xs = Array.from({ length: steps }, (_, index) => `v${index + 1}`)
  const lines = [{ label: 'careful', places: xs.map((x) => step(x, 0.5)) }]
  draw(<TrendPlot label="Solved" xs={xs} lines={lines} format={String} zooming={{ zoom, onZoom: () => {} }} />)
  await expect
    .poll(() => document.querySelectorAll('.recharts-xAxis-ticks .recharts-cartesian-axis-tick').length)
    .toBe(steps)
  expect(document.querySelectorAll('.recharts-brush').length).toBe(steps < 8 ? 0 : 1)
})

test('the legend of a trend with many groups counts those that have no room', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => ({ label: `group ${index}`, places: [step('v1', 0.5)] }))
  draw(<TrendPlot label="Solved" xs={['v1', 'v2']} lines={lines} format={String} isSmall />)
  const entries = () => [...document.querySelectorAll('[aria-label="Colors"] li')].map((entry) => entry.textContent)
  const shown = Array.from({ length: 6 }, (_, index) => `group ${index}`)
  await expect.poll(entries).toEqual([...shown, 'and 24 more'])
  const rowsOf = (count: number) => legendRows(namedInLegend(lines.slice(0, count), 6), 900)
  expect([rowsOf(6), rowsOf(7), rowsOf(30)]).toEqual([1, 1, 1])
})

test('Recharts draws the parts of stacked bars, and each bar is a link', async () => {
  const part = (series: number, value: number) => ({ series, value, words: 'part', href: undefined })
  const parts = draw(
    <LinkContext value={{ Link: ({ href, children }) => <a href={href}>{children}</a>, open: () => {} }}>
      <StackedBars
        label="Cost by day"
        series={[
          { name: 'opus', color: 0 },
          { name: 'others', color: 8 },
        ]}
        bars={[
          { key: '1', name: '1 Nov', words: '1 Nov: $3', href: '/runs?day=1', parts: [part(0, 1), part(1, 2)] },
          { key: '2', name: '2 Nov', words: '2 Nov: $0', href: '/runs?day=2', parts: [] },
        ]}
        format={(value) => `$${value}`}
      />
    </LinkContext>,
  )
  await parts('bar', 'bar-rectangle').toEqual([2, 4])
  const links = Array.from(document.querySelectorAll('svg a'), (link) => link.getAttribute('href'))
  expect(links).toEqual(['/runs?day=1', '/runs?day=2'])
})

test('Recharts draws a balance as an area of steps', async () => {
  const day = 24 * 3600 * 1000
  const balances = [20, 5, -5].map((value, place) => ({ at: (place + 1) * day, value }))
  const parts = draw(
    <BalancePlot
      label="Balance"
      balances={balances}
      grants={balances.slice(1, 2)}
      forecast={[
        { at: 3 * day, value: 1 },
        { at: 10 * day, value: 0 },
      ]}
      expiries={[{ at: 10 * day, name: '$1.00 expires' }]}
      cycle={{ start: 0, end: 10 * day }}
      format={(value) => `$${value}`}
      formatDay={(at) => `day ${at / day}`}
      formatTick={(at) => `${at / day}`}
    />,
  )
  await parts('area-area', 'reference-line', 'line-curve', 'reference-dot').toEqual([1, 2, 1, 1])
})

const opened: string[] = []
const choices = {
  selected: null,
  onSelectGroup: (group: string) => opened.push(group),
  onSelectPoints: () => {},
}
const cost = { label: 'Cost', format: (value: number) => `$${value}`, tickUnit: 'number' } as const
const look = { group: 'a', label: 'droid', series: 0, words: 'droid 24 runs: median $0.42' }

const five = { mean: 0.5, min: 0.1, q1: 0.3, median: 0.42, q3: 0.6, max: 3, lowerWhisker: 0.1, upperWhisker: 1 }
const text = { extent: '24 runs', value: 'median $0.42', spread: 'median $0.42' }

/** Opens every mark that is a button, and returns what they opened. */
const openAll = () => {
  opened.length = 0
  for (const mark of document.querySelectorAll('svg [role="button"]'))
    mark.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  return opened
}

test.each(['linear', 'log'] as const)('Recharts draws boxes on a %s axis, and each opens its runs', async (scale) => {
  const none = {
    mean: null,
    min: null,
    q1: null,
    median: null,
    q3: null,
    max: null,
    lowerWhisker: null,
    upperWhisker: null,
  }
  const parts = draw(
    <BoxPlot
      label="Cost by group"
      groups={[
        { ...look, ...text, ...five },
        { ...look, ...text, ...none, group: 'b', label: 'without a value' },
      ]}
      points={null}
      x={cost}
      scale={scale}
      {...choices}
    />,
  )
  await parts('bar-rectangle [role="button"]', 'bar-rectangle rect[rx]').toEqual([2, 1])
  expect(openAll()).toEqual(['a', 'b'])
})

const boxes = (selected: string | null, label = 'droid') => (
  <BoxPlot
    label="Cost by group"
    groups={[{ ...look, ...text, ...five, label }]}
    points={null}
    x={cost}
    {...choices}
    selected={selected}
  />
)

test('on a phone, the name of a row has all the width that its runs and its value leave', async () => {
  draw(boxes(null, 'orchestrator · claude'), 360)
  const names = () => [...document.querySelectorAll('svg [role="button"] text')].map((name) => name.textContent)
  await expect.poll(names).toEqual(['orchestrator · claude 24 runs', ' median $0.42'])
})

test('the selected mark takes the focus that a mark had which was drawn anew', async () => {
  draw(boxes('a'))
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toMatch(/^droid 24 runs/)
})

test('Recharts draws marks of a scatter plot with their front, and each opens its runs', async () => {
  const mark = { ...look, mean: { x: 1, y: 0.5 }, ellipse: null, isOnFront: true }
  const parts = draw(
    <ScatterPlot
      label="Solved vs. cost"
      groups={[mark, { ...mark, group: 'b', label: 'pi', mean: { x: 2, y: 0.9 } }]}
      points={null}
      x={cost}
      y={{ label: 'Solved', format: String }}
      {...choices}
    />,
  )
  await parts('scatter-symbol [role="button"]', 'scatter-symbol text').toEqual([2, 2])
  expect(openAll()).toEqual(['a', 'b'])
})

test('Recharts draws differences with their interval around a line at zero, which open their runs', async () => {
  const part = { value: -0.1, interval: null, isWhole: false, opens: 'cell 1' }
  const onSelect = vi.fn()
  const parts = draw(
    <IntervalPlot
      label="Difference"
      format={(value) => value.toFixed(1)}
      selected={null}
      onSelect={onSelect}
      rows={[
        { label: 'all', value: 0.1, interval: { low: -0.2, high: 0.4 }, isWhole: true, opens: null },
        { ...part, label: 'first' },
        { ...part, label: 'second', value: null },
      ]}
    />,
  )
  await parts('scatter-symbol', 'errorBar', 'reference-line').toEqual([2, 1, 1])
  const marks = [...document.querySelectorAll('[role="button"]')]
  expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual(['first: -0.1. Show runs'])
  marks[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect(onSelect.mock.calls).toEqual([['cell 1']])
})

const columns = [
  { name: 'agent', type: 'String' },
  { name: 'rate', type: 'Float64' },
  { name: 'low', type: 'Float64' },
  { name: 'high', type: 'Float64' },
  { name: 'runs', type: 'UInt64' },
]
const rows = [
  ['a', 0.5, 0.4, 0.6, 1],
  ['a', 0.6, 0.5, 0.7, 2],
  ['b', 0.7, null, null, 3],
]

test.each([
  ['line', { x: 'runs', series: 'agent' }, ['line-curve', 'line-dots circle', 'errorBar'], [1, 3, 2]],
  ['scatter', { x: 'runs', series: 'agent' }, ['scatter-symbol circle', 'errorBar'], [3, 2]],
  ['bar', { x: 'runs' }, ['bar-rectangle rect', 'errorBar'], [3, 2]],
  ['box', { x: 'agent' }, ['bar-rectangle rect[rx]'], [2]],
] as const)(
  'Recharts draws a result as a %s chart, with the intervals that it has',
  async (kind, roles, names, counts) => {
    await draw(<ResultChart table={{ columns, rows }} presentation={{ kind, ...roles, y: ['rate'] }} />)(
      ...names,
    ).toEqual(counts)
  },
)

test('a result of more values than elements are good for is drawn on a canvas within the axes of Recharts', async () => {
  const many = Array.from({ length: 1001 }, (_, place) => ['a', place, 0, 0, place])
  await draw(
    <ResultChart table={{ columns, rows: many }} presentation={{ kind: 'scatter', x: 'runs', y: ['rate'] }} />,
  )('cartesian-axis', 'scatter-symbol circle').toEqual([2, 0])
  expect(document.querySelectorAll('canvas')).toHaveLength(1)
})

test('Recharts draws a difference with two bands, up to where it was decided', async () => {
  const words = { title: '', text: '', detail: '' }
  const parts = draw(
    <BandPlot
      label="Difference"
      x={{ label: 'Runs', end: 40, format: String }}
      y={{ low: -0.2, high: 0.6, format: String }}
      steps={[
        { ...words, at: 10, value: 0.1, inner: [-0.2, 0.4], outer: [-0.9, 0.9] },
        { ...words, at: 20, value: 0.3, inner: [0.1, 0.5], outer: [0.05, 0.6] },
      ]}
      marks={[
        { at: 10, name: null },
        { at: 20, name: 'Decided' },
      ]}
    />,
  )
  await parts('area-area', 'line-curve', 'reference-line', 'reference-area').toEqual([2, 1, 3, 1])
})
