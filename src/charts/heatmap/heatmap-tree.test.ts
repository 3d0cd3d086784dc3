import { expect, test } from 'vitest'

import type { HeatmapCell } from '#contract/charts.ts'
import { noOutcomes } from '#contract/outcomes.ts'
import { describeCell } from './describe-cell.ts'
import { toLabels } from './heatmap-labels.ts'
import { toMatrix } from './heatmap-matrix.ts'
import { rowOrder } from './heatmap-order.ts'
import { type TreeNode, buildTree, foldersAround, foldersOf, shownRows, sortTree, columnRates } from './heatmap-tree.ts'
import { moveInTree } from './move-in-tree.ts'
import { segmentsOf, tasksOf } from './test-path.ts'

const groups = [
  { group: 'a', runs: 4 },
  { group: 'b', runs: 4 },
]

const cell = (group: string, test: string, passed: number, failed: number): HeatmapCell => ({
  ...noOutcomes,
  group,
  test,
  passed,
  failed,
})

const cells = [
  cell('a', 'zip/unit/opens', 4, 0),
  cell('b', 'zip/unit/opens', 0, 4),
  cell('a', 'zip/unit/closes', 2, 2),
  cell('a', 'zip/docs', 4, 0),
  cell('a', 'mail/tests/unit/send.py::sends', 1, 3),
  cell('a', 'mail/tests/unit/send.py::fails', 1, 3),
  cell('a', 'hello/says hello', 4, 0),
  cell('a', 'starts', 4, 0),
]
const { rows } = toMatrix(groups, cells)
const tree = sortTree(buildTree(rows), rowOrder({ sort: 'name' }))
const all = () => true
const none = () => false
const linesOf = (nodes: readonly TreeNode[], isOpen: (id: string) => boolean) =>
  shownRows(nodes, isOpen).map(({ label, detail, level }) => `${'  '.repeat(level)}${label}${detail && ` + ${detail}`}`)

test('tests that share a path are in folders, and a folder in a folder of its own is one row with it', () => {
  expect(linesOf(tree, all)).toEqual([
    'hello + says hello',
    'mail/tests/unit/send.py',
    '  fails',
    '  sends',
    'starts',
    'zip',
    '  docs',
    '  unit',
    '    closes',
    '    opens',
  ])
  expect(linesOf(tree, none)).toEqual(['hello + says hello', 'mail/tests/unit/send.py', 'starts', 'zip'])
})

test('a folder adds up every outcome below it, and a gap stays a gap', () => {
  const [, mail, , zip] = shownRows(tree, none)
  expect(zip).toMatchObject({ id: 'zip/', tests: 3, total: { passed: 10, failed: 6 } })
  expect(zip?.cells).toMatchObject([
    { passed: 10, failed: 2 },
    { passed: 0, failed: 4 },
  ])
  expect(mail?.cells[1]).toBeUndefined()
  expect(rows.find((row) => row.test === 'zip/unit/opens')?.total).toMatchObject({ passed: 4, failed: 4 })
})

test.each([
  ['failures', ['mail/tests/unit/send.py', 'zip', 'hello', 'starts']],
  ['flaky', ['mail/tests/unit/send.py', 'zip', 'hello', 'starts']],
  ['difference', ['zip', 'hello', 'mail/tests/unit/send.py', 'starts']],
] as const)('folders and the tests in them are sorted by %s', (sort, expected) => {
  const sorted = sortTree(tree, rowOrder({ sort, pair: { left: 0, right: 1 } }))
  expect(sorted.map(({ label }) => label)).toEqual(expected)
  expect(sorted.find(({ id }) => id === 'zip/')?.children.map(({ label }) => label)).toEqual(['unit', 'docs'])
})

test('names without paths stay a flat list, without the words they share', () => {
  const flat = buildTree(
    toMatrix(
      groups,
      ['parses', 'prints'].map((name) => cell('a', `the command of the roman numerals ${name}`, 1, 0)),
    ).rows,
  )
  expect(linesOf(flat, all).map((line) => line.endsWith('parses') || line.endsWith('prints'))).toEqual([true, true])
  expect(toLabels(shownRows(flat, all), groups).tests.every(({ level }) => level === undefined)).toBe(true)
})

test('a folder that all tests share is left out, and one test alone is a row', () => {
  const named = (...names: string[]) =>
    linesOf(
      buildTree(
        toMatrix(
          groups,
          names.map((name) => cell('a', name, 1, 0)),
        ).rows,
      ),
      all,
    )
  expect(named('tests/a/1', 'tests/a/2', 'tests/b')).toEqual(['b', 'a', '  1', '  2'])
  expect(named('tests/a/1')).toEqual(['tests/a/1'])
  expect(named('/', '//')).toEqual(['/', '//'])
})

test('a test of one prompt is in the folder of that prompt, unless its name starts with it', () => {
  const byPrompt = [
    cell('sum', 'adds', 1, 0),
    cell('sum', 'carries', 1, 0),
    cell('zip', 'zip/opens', 1, 0),
    cell('zip', 'zip/closes', 1, 0),
    cell('sum', 'compiles', 1, 0),
    cell('zip', 'compiles', 1, 0),
  ]
  const taskOf = tasksOf(byPrompt)
  const matrix = toMatrix(
    [{ group: 'a', runs: 1 }],
    byPrompt.map((one) => ({ ...one, group: 'a' })),
  )
  const sorted = sortTree(buildTree(matrix.rows, taskOf), rowOrder({ sort: 'name' }))
  expect(linesOf(sorted, all)).toEqual(['compiles', 'sum', '  adds', '  carries', 'zip', '  closes', '  opens'])
  expect(tasksOf(byPrompt.filter(({ test: name }) => name === 'compiles'))).toBeNull()
})

test('names split at slashes, at the colons of pytest and at the arrows of suites', () => {
  const texts = (name: string) => segmentsOf(name).map(({ text }) => text)
  expect(texts('task/tests/test_x.py::TestIt::test_a')).toEqual(['task', 'tests', 'test_x.py', 'TestIt', 'test_a'])
  expect(texts('suite > case › step')).toEqual(['suite', 'case', 'step'])
  expect(texts('a>b is 3::')).toEqual(['a>b is 3'])
})

test('arrows at the name of a row open, close and climb as in a treegrid', () => {
  const open = shownRows(tree, all)
  const closed = shownRows(tree, none)
  const at = (row: number) => ({ row, column: -1 })
  expect(moveInTree(closed, at(3), 'ArrowRight')).toEqual({ to: at(3), toggles: 'zip/' })
  expect(moveInTree(open, at(5), 'ArrowRight')).toBeNull()
  expect(moveInTree(open, at(5), 'ArrowLeft')).toEqual({ to: at(5), toggles: 'zip/' })
  expect(moveInTree(open, at(8), 'ArrowLeft')).toEqual({ to: at(7) })
  expect(moveInTree(open, at(6), 'ArrowLeft')).toEqual({ to: at(5) })
  expect(moveInTree(open, at(4), 'ArrowLeft')).toEqual({ to: at(4) })
  expect(moveInTree(open, { row: 5, column: 0 }, 'ArrowLeft')).toBeNull()
})

test('a screen reader hears the name of a row, its level, whether it is open, and its counts', () => {
  const matrix = { groups, rows: shownRows(tree, none) }
  expect(describeCell(matrix, { row: 3, column: -1 })).toBe(
    'zip, closed, 3 tests, level 1, All groups: 10 passed, 6 failed of 16',
  )
  expect(describeCell(matrix, { row: 3, column: 1 })).toBe('zip, closed, 3 tests, b: 4 failed of 4')
  expect(describeCell(matrix, { row: 2, column: 0 })).toBe('starts, a: 4 passed of 4')
})

test('a link to a test opens the folders around it', () => {
  expect(foldersAround(tree, 'zip/unit/opens')).toEqual(['zip/', 'zip/unit/'])
  expect(foldersAround(tree, 'starts')).toEqual([])
  expect(foldersOf(tree)).toEqual(['mail/tests/unit/send.py/', 'zip/', 'zip/unit/'])
})

test('the pass rate of a column counts each test once, whichever folders are open', () => {
  const rates = [none, all].map((isOpen) => columnRates({ groups, rows: shownRows(tree, isOpen) }))
  expect(rates).toEqual([
    [20 / 28, 0],
    [20 / 28, 0],
  ])
})
