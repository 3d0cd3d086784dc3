import { expect, test } from 'vitest'

import type { HeatmapCell } from '#contract/charts.ts'
import { noOutcomes } from '#contract/outcomes.ts'

import {
  cellAt,
  headerLines,
  labelAt,
  layoutHeatmap,
  moveCell,
  scrollToCell,
  risingLines,
  risingRoom,
  visibleWindow,
} from './heatmap-geometry.ts'
import { nameInRoom } from './heatmap-labels.ts'
import { toMatrix } from './heatmap-matrix.ts'
import { sortGroups, sortRows } from './heatmap-order.ts'
import { cellText, pickReadableInk, scaleStep } from './heatmap-palette.ts'

const groups = [
  { group: 'a', runs: 4 },
  { group: '', runs: 2 },
]

const cell = (group: string, test: string, passed: number, failed: number, skipped = 0): HeatmapCell => ({
  ...noOutcomes,
  group,
  test,
  passed,
  failed,
  skipped,
})

const cells = [
  cell('a', 'case 10', 4, 0),
  cell('', 'case 10', 2, 0),
  cell('a', 'case 2', 0, 4),
  cell('a', 'flips', 2, 2),
  cell('', 'skipped', 0, 0, 2),
  cell('unknown', 'case 2', 9, 9),
]
const matrix = toMatrix(groups, cells)

test('a group without runs of a test leaves a gap, and the group without a value has its own column', () => {
  const row = matrix.rows.find((candidate) => candidate.test === 'case 2')
  expect(row?.cells[0]).toMatchObject({ failed: 4 })
  expect(row?.cells[1]).toBeUndefined()
  expect(row?.total).toEqual({ ...noOutcomes, failed: 4 })
})

test.each([
  ['spread', ['case 2', 'case 10', 'flips', 'skipped']],
  ['name', ['case 2', 'case 10', 'flips', 'skipped']],
  ['failures', ['case 2', 'flips', 'case 10', 'skipped']],
  ['flaky', ['flips', 'case 2', 'case 10', 'skipped']],
] as const)('tests can be sorted by %s', (sort, expected) => {
  expect(sortRows(matrix, { sort }).rows.map((row) => row.test)).toEqual(expected)
})

test('the tests whose pass shares differ most between groups come first', () => {
  const one = [cell('a', 'alike', 2, 2), cell('b', 'alike', 2, 2), cell('a', 'apart', 4, 0), cell('b', 'apart', 0, 4)]
  const some = [cell('a', 'between', 3, 1), cell('b', 'between', 1, 3)]
  const both = ['a', 'b'].map((group) => ({ group, runs: 4 }))
  const sorted = sortRows(toMatrix(both, [...one, ...some]), { sort: 'spread' })
  expect(sorted.rows.map((row) => row.test)).toEqual(['apart', 'between', 'alike'])
})

test('tests can be sorted by the difference of two columns, and those without both come last', () => {
  const compared = toMatrix(groups, [...cells, cell('', 'flips', 0, 2), cell('', 'case 2', 1, 1)])
  const orderOf = (left: number, right: number) =>
    sortRows(compared, { sort: 'difference', pair: { left, right } }).rows.map((row) => row.test)
  expect(orderOf(0, 1)).toEqual(['flips', 'case 10', 'case 2', 'skipped'])
  expect(orderOf(1, 0)).toEqual(['case 2', 'case 10', 'flips', 'skipped'])
})

test.each([
  ['name', ['a', 'b2', 'b10', '']],
  ['rate', ['b10', '', 'a', 'b2']],
  ['runs', ['b2', 'a', 'b10', '']],
] as const)('columns can be sorted by %s, and one without outcomes has no pass share', (sort, expected) => {
  const columns = ['a', '', 'b10', 'b2'].map((group, place) => ({ group, runs: [4, 1, 2, 9][place] ?? 0 }))
  const outcomes = [cell('a', 'one', 1, 3), cell('', 'one', 1, 1), cell('b10', 'one', 2, 0), cell('b2', 'one', 0, 0, 9)]
  expect(sortGroups(columns, outcomes, sort).map(({ group }) => group)).toEqual(expected)
})

const layout = layoutHeatmap(
  {
    tests: Array.from({ length: 500 }, () => ({ text: 'a test whose name is long'.repeat(3) })),
    groups: Array.from({ length: 100 }, (_, index) => `group-${index}`),
  },
  { width: 1200, height: 600 },
)
const viewport = { width: 1200, height: 600 }
const counts = { rows: 500, columns: 100 }

test('only the visible cells are drawn, at any scroll position', () => {
  const seen = visibleWindow(layout, { x: 600, y: 4800 }, viewport, counts)
  expect(seen.rows.from).toBe(200)
  expect(seen.columns.from).toBe(20)
  expect((seen.rows.to - seen.rows.from) * (seen.columns.to - seen.columns.from)).toBeLessThan(1000)
  expect(visibleWindow(layout, { x: 1e6, y: 1e6 }, viewport, counts).rows).toEqual({ from: 500, to: 500 })
})

test('a point inside the grid finds its cell; labels and the empty area have no cell', () => {
  const point = { x: layout.labelWidth + 1, y: layout.headerHeight + 1 }
  expect(cellAt(layout, { x: 0, y: 0 }, point, counts)).toEqual({ row: 0, column: 0 })
  expect(cellAt(layout, { x: 30, y: 48 }, point, counts)).toEqual({ row: 2, column: 1 })
  expect(cellAt(layout, { x: 0, y: 0 }, { x: 5, y: 300 }, counts)).toBeNull()
  expect(cellAt(layout, { x: 0, y: 0 }, point, { rows: 0, columns: 0 })).toBeNull()
})

test('a point over a label finds its test or group', () => {
  const label = (x: number, y: number) => labelAt(layout, { x: 30, y: 48 }, { x, y }, counts)
  expect(label(5, layout.headerHeight + 1)).toEqual({ row: 2 })
  expect(label(layout.labelWidth + 1, 5)).toEqual({ column: 1 })
  expect([label(5, 5), label(layout.labelWidth + 1, layout.headerHeight + 1)]).toEqual([null, null])
})

test('keyboard moves stop at the edges and scroll no more than needed', () => {
  expect(moveCell({ row: 0, column: 0 }, 'ArrowUp', 10, counts)).toEqual({ row: 0, column: 0 })
  expect(moveCell({ row: 495, column: 3 }, 'PageDown', 10, counts)).toEqual({ row: 499, column: 3 })
  expect(moveCell({ row: 5, column: 3 }, 'End', 10, counts)).toEqual({ row: 5, column: 99 })
  expect(moveCell({ row: 5, column: 3 }, 'x', 10, counts)).toBeNull()
  expect(scrollToCell(layout, { x: 0, y: 0 }, viewport, { row: 1, column: 1 })).toEqual({ x: 0, y: 0 })
  const far = scrollToCell(layout, { x: 0, y: 0 }, viewport, { row: 499, column: 99 })
  expect(far.y).toBe(500 * layout.rowHeight - (viewport.height - layout.headerHeight))
})

test('few groups get wide columns with flat headers, and many get narrow columns with rising headers', () => {
  expect(layout.headerIsFlat).toBe(false)
  const few = layoutHeatmap({ tests: [{ text: 'one' }, { text: 'two' }], groups: ['a~x~y', 'b~x~y'] }, viewport)
  expect(few.headerIsFlat).toBe(true)
})

test('however long the names of groups are, the first row of cells stays on the first screen', () => {
  const long = layoutHeatmap(
    { tests: [{ text: 'one' }], groups: Array.from({ length: 40 }, (_, at) => `${'long-name-'.repeat(9)}${at}`) },
    viewport,
  )
  expect(long.headerIsFlat).toBe(false)
  expect(long.headerHeight).toBeLessThan(120)
  expect(long.width).toBeGreaterThan(long.labelWidth + 40 * long.columnWidth + long.headerHeight / 2)
})

test('a rising name is never cut where the header has room for it', () => {
  for (let length = 1; length <= 12; length += 1) {
    const groups = Array.from({ length: 40 }, () => 'x'.repeat(length))
    const { headerIsFlat, headerHeight } = layoutHeatmap({ tests: [{ text: 'one' }], groups }, viewport)
    expect(headerIsFlat).toBe(false)
    expect(risingRoom(headerHeight), `${length} letters`).toBeGreaterThanOrEqual(length)
  }
})

test('on a phone, columns leave the names of the rows the width that the names of the groups do not need', () => {
  const tests = [{ text: 'south is 30, though its customer has a comma' }]
  const phone = layoutHeatmap({ tests, groups: ['tokenizer', 'splitter'] }, { width: 344, height: 600 })
  expect(phone).toMatchObject({ headerIsFlat: true, columnWidth: 72, width: 344 })
})

test('on a phone, the names of rows take the room of their totals where they would be cut', () => {
  const groups = Array.from({ length: 9 }, () => 'droid')
  const on = (width: number, text: string) => layoutHeatmap({ tests: [{ text }], groups }, { width, height: 600 })
  expect(on(366, 'short')).toMatchObject({ totalWidth: 44 })
  const phone = on(366, 'fibonacci-server')
  expect(phone.totalWidth).toBe(0)
  expect(phone.labelWidth - 20).toBeGreaterThanOrEqual('fibonacci-server'.length * 7.25)
  expect(on(1100, 'fibonacci-server'.repeat(9)).totalWidth).toBe(44)
})

test('a name is cut only where its column or its row has no room for it', () => {
  const named = (text: string, columns: number) =>
    layoutHeatmap({ tests: [{ text }], groups: Array.from({ length: columns }, () => 'agent') }, viewport).labelWidth
  const name = 'a-task-with-a-rather-long-name-of-its-own/test_that_it_works'
  expect(named(name, 4)).toBeGreaterThan(name.length * 7.25)
  expect(named(name, 40)).toBe(360)
  expect(headerLines('swe-agent-mini~claude-4-sonnet', 91)).toEqual(['swe-agent-', 'mini', 'claude-4-', 'sonnet'])
  expect(headerLines('orchestrator~opus', 91)).toEqual(['orchestrator', 'opus'])
  expect(headerLines('an-orchestrator~opus', 72)).toBeNull()
  expect(risingLines('orchestrator~high~opus')).toEqual(['orchestrator · high', 'opus'])
  expect(risingLines('orchestrator · opus')).toEqual(['orchestrator', 'opus'])
  expect(risingLines('orchestrator')).toEqual(['orchestrator'])
})

test('where rows are folders, the left arrow reaches the name of a row and the other keys stay in its column', () => {
  const tree = { ...counts, hasNames: true }
  expect(moveCell({ row: 3, column: 0 }, 'ArrowLeft', 10, tree)).toEqual({ row: 3, column: -1 })
  expect(moveCell({ row: 3, column: -1 }, 'ArrowDown', 10, tree)).toEqual({ row: 4, column: -1 })
  expect(moveCell({ row: 3, column: -1 }, 'ArrowRight', 10, tree)).toEqual({ row: 3, column: 0 })
  expect(moveCell({ row: 3, column: 5 }, 'Home', 10, tree)).toEqual({ row: 3, column: 0 })
  expect(moveCell({ row: 3, column: 0 }, 'ArrowLeft', 10, counts)).toEqual({ row: 3, column: 0 })
  expect(scrollToCell(layout, { x: 90, y: 0 }, viewport, { row: 1, column: -1 })).toEqual({ x: 90, y: 0 })
})

test('names that do not fit lose what all have in common first, so that they can be told apart', () => {
  const named = (names: string[], room: number) => {
    const labels = names.map((text) => ({ text }))
    return labels.map((_, row) => nameInRoom(labels, row, room))
  }
  const tasks = ['task-0002/reward', 'task-0013/reward', 'task-0199/reward']
  expect(named(tasks, 16)).toEqual(tasks)
  expect(named(tasks, 12)).toEqual(['task-0002', 'task-0013', 'task-0199'])
  expect(named(tasks, 6)).toEqual(['…0002', '…0013', '…0199'])
  expect(named(['tests/a.test.mjs::parses MCMXC', 'tests/b.test.mjs::parses MCMXC'], 12)).toEqual([
    'a.test.mjs',
    'b.test.mjs',
  ])
})

test('a cell like its row is ordinary, the furthest from it stands out most, and one without counted runs shows a dash', () => {
  expect([scaleStep(0, 0, 3), scaleStep(1, 1, 3), scaleStep(0.5, 0.45, 3)]).toEqual([10, 10, 10])
  expect([scaleStep(0, 1, 3), scaleStep(0.4, 0.8, 3), scaleStep(1, 0.5, 3)]).toEqual([0, 6, 15])
  expect([scaleStep(0, 0, 1), scaleStep(1, 1, 1)]).toEqual([0, 10])
  expect(cellText(cell('a', 't', 0, 0, 2), true)).toBe('–')
  expect(cellText(cell('a', 't', 199, 1), false)).toBe('>99')
  expect(cellText(cell('a', 't', 1, 199), true)).toBe('<1 %  1/200')
  expect(cellText(cell('a', 't', 3, 0), true)).toBe('✓  3/3')
})

test('each color of the scale gets the text color with the highest contrast', () => {
  const inks = ['#1b1b1f', '#ffffff']
  expect(pickReadableInk(inks, [211, 240, 224])).toBe('#1b1b1f')
  expect(pickReadableInk(inks, [160, 30, 40])).toBe('#ffffff')
  expect(pickReadableInk(['#1b1b1f', '#fff'], [204, 61, 66])).toBe('#fff')
})
