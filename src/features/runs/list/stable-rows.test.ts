import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'

import { toStableRows } from './stable-rows.ts'

const run = (id: string, minute: number, status: Run['status'] = 'running') =>
  ({ id, runUuid: id, createdAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`, status }) as Run

const idsOf = (rows: readonly Run[]) => rows.map(({ id }) => id)

test('a run that changed its position keeps its row', () => {
  const held = [run('c', 3), run('b', 2), run('a', 1)]
  const { rows, movedIds } = toStableRows(held, [run('c', 3), run('a', 1)])
  expect(idsOf(rows)).toEqual(['c', 'b', 'a'])
  expect([...movedIds]).toEqual(['b'])
})

test('known rows are updated in place', () => {
  const { rows } = toStableRows([run('b', 2, 'queued'), run('a', 1)], [run('b', 2, 'running'), run('a', 1)])
  expect(rows.map(({ status }) => status)).toEqual(['running', 'running'])
})

test('new rows wait for a refresh, even those that belong between others', () => {
  const { rows, waitingCount } = toStableRows(
    [run('c', 3), run('a', 1)],
    [run('d', 4), run('c', 3), run('b', 2), run('a', 1)],
  )
  expect(idsOf(rows)).toEqual(['c', 'a'])
  expect(waitingCount).toBe(2)
})

test('the next page is appended, even for runs of one request with the same time', () => {
  const { rows, waitingCount } = toStableRows(
    [run('c', 3), run('b', 3)],
    [run('c', 3), run('b', 3), run('a', 3), run('z', 1)],
  )
  expect(idsOf(rows)).toEqual(['c', 'b', 'a', 'z'])
  expect(waitingCount).toBe(0)
})

test('an empty list shows its first rows immediately', () => {
  expect(idsOf(toStableRows([], [run('a', 1)]).rows)).toEqual(['a'])
})

test('rows whose sort values changed keep their places, and the list says that its order changed', () => {
  const sortedByTime = [run('a', 1), run('b', 2), run('c', 3)]
  expect(toStableRows(sortedByTime, [run('a', 1), run('c', 3)]).isReordered).toBe(false)
  const { rows, isReordered } = toStableRows(sortedByTime, [run('b', 2), run('a', 1), run('c', 3)])
  expect([idsOf(rows), isReordered]).toEqual([['a', 'b', 'c'], true])
})
