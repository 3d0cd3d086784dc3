import { expect, test } from 'vitest'

import { openFolders, pairOf, readHeatmapState, writeOpen } from './heatmap-parameters.ts'

const read = (query: string) => readHeatmapState(new URLSearchParams(query))
const folders = ['a/', 'a/b/', 'c/']
const tree = { folders, tests: 300, isSearched: false }

test('a heatmap opens with the best group and the most telling test first, and unknown orders are ignored', () => {
  expect(read('')).toMatchObject({
    sort: 'spread',
    columns: 'rate',
    left: null,
    right: null,
    tableSort: '',
    open: null,
  })
  expect(read('sort_rows=size&sort_columns=luck')).toMatchObject({ sort: 'spread', columns: 'rate' })
  expect(read('sort_rows=difference&sort_columns=rate&column_left=x')).toMatchObject({
    sort: 'difference',
    columns: 'rate',
    left: 'x',
  })
})

test('an older link, whose orders have the names of the leaderboard’s, opens in them until others are chosen', () => {
  expect(read('sort=failures&columns=runs')).toMatchObject({ sort: 'failures', columns: 'runs' })
  expect(read('sort=failures&columns=runs&sort_rows=name&sort_columns=name')).toMatchObject({
    sort: 'name',
    columns: 'name',
  })
})

test('the order and the columns of a leaderboard do not sort a heatmap', () => {
  expect(read('sort=-costPerSolved&columns=passAt5,-p50')).toMatchObject({ sort: 'spread', columns: 'rate' })
  expect(read('sort=difference&baseline=x')).toMatchObject({ sort: 'spread' })
})

test('many tests open as closed folders; few tests, and those that a search found, are all visible', () => {
  expect([...openFolders(null, tree)]).toEqual([])
  expect([...openFolders(null, { ...tree, tests: 40 })]).toEqual(folders)
  expect([...openFolders(null, { ...tree, isSearched: true })]).toEqual(folders)
})

test.each([[[]], [['a/', 'c/']], [folders]])('the URL keeps %j open', (open) => {
  const written = writeOpen(new Set(open), folders)
  const query = new URLSearchParams([written].flat().map((id) => ['open', id]))
  expect([...openFolders(readHeatmapState(query).open, { ...tree, tests: 1 })]).toEqual(open)
})

test('the difference is between the first and the last column unless the URL names two groups', () => {
  const groups = [{ group: 'x' }, { group: 'y' }, { group: '' }]
  expect(pairOf(groups, { left: null, right: null })).toEqual({ left: 0, right: 2 })
  expect(pairOf(groups, { left: 'y', right: 'gone' })).toEqual({ left: 1, right: 2 })
  expect(pairOf(groups.slice(0, 1), { left: null, right: null })).toBeNull()
})
