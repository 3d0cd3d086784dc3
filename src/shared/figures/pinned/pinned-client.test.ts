import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { boardOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { openPinned } from './pinned-client.ts'

const key = ['queries', 'result', { statement: { sql: 'select 1' } }, 0]
const table = (value: number, more: object = {}) => ({
  columns: [{ name: 'n', type: 'Float64' }],
  rows: [[value]],
  rowCount: 1,
  truncated: false,
  compiledSql: 'select 1',
  ...more,
})
const pinned = (value: number) => JSON.stringify([{ key, at: 1, data: table(value) }])

/** Draws a figure: an observer as `useQuery` has one. Returns the pinned client and what the figure got. */
function draw(json: string, asked: readonly unknown[], now: () => unknown) {
  const client = openPinned(json)
  if (!client) throw new Error('unreadable')
  const observer = new QueryObserver(client, { queryKey: asked, queryFn: now, staleTime: 0, retry: false })
  const end = observer.subscribe(() => {})
  return { client, observer, end }
}

test('a pinned figure shows its data without asking for it, and refuses what was not pinned', async () => {
  let calls = 0
  const ask = () => Promise.resolve((calls += 1))
  const { observer, end } = draw(pinned(1), key, ask)
  expect(observer.getCurrentResult()).toMatchObject({ data: table(1), dataUpdatedAt: 1, fetchStatus: 'idle' })
  end()
  const other = draw(pinned(1), ['queries', 'result', {}, 1], ask)
  await expect(other.observer.refetch()).resolves.toMatchObject({ status: 'error', error: { message: /not pinned/ } })
  other.end()
  expect(calls).toBe(0)
})

test('a view gets from a pinned figure only what its data has by its shape', () => {
  const client = openPinned(JSON.stringify([{ key, at: 1, data: table(1, { html: '<script>' }) }]))
  expect(client?.getQueryData(key)).toEqual(table(1))
})

test('a figure has changed if its live result differs, but not by the last digits or by what it does not show', async () => {
  const changed = async (then: number, now: () => unknown) => {
    const { client, end } = draw(pinned(then), key, now)
    end()
    return client.hasChanged(new QueryClient())
  }
  expect(await changed(1, () => table(1))).toBe(false)
  expect(await changed(1, () => table(2))).toBe(true)
  expect(await changed(0.1 + 0.2, () => table(0.3, { pendingRuns: 4 }))).toBe(false)
  await expect(changed(1, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})

test('a leaderboard that was pinned before groups counted the runs of infrastructure has not changed by that', async () => {
  const board = { ...boardOf(steady('a', 4)), pendingRuns: 0 }
  const query = ['insights', 'execute', { ref: 'chart:e:leaderboard', resultView: 'summary' }]
  const changed = async (group: object) => {
    const now = { ...board, groups: board.groups.map((one) => ({ ...one, ...group })) }
    const { client, end } = draw(JSON.stringify([{ key: query, at: 1, data: board }]), query, () => now)
    end()
    return client.hasChanged(new QueryClient())
  }
  expect(await changed({ leftOut: 2 })).toBe(false)
  expect(await changed({ leftOut: 2, errored: 1 })).toBe(true)
})

test('what the browser calculates from pinned data is calculated again', async () => {
  const client = openPinned(pinned(1))
  const sum = client?.fetchQuery({ queryKey: ['sum'], queryFn: () => 3, meta: { isCalculated: true } })
  expect(await sum).toBe(3)
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const withData = (of: readonly unknown[], data: unknown) => JSON.stringify([{ key: of, at: 1, data }])

test.each([
  ['no JSON', 'x'],
  ['another value', '5'],
  ['a million nested lists', nested(1_000_000)],
  ['a key of nested lists', `[{"key":["queries",${nested(200_000)}],"at":1,"data":1}]`],
  ['data that is not of its query', withData(key, { rows: 'x' })],
  ['rows of nested lists', `[{"key":${JSON.stringify(key)},"at":1,"data":{"rows":${nested(200_000)}}}]`],
  ['the reader’s own data', withData(['identity', 'whoami', {}], { actor: { name: 'x' } })],
  ['a whole run', withData(['runs', 'get', { id: 'r1' }], [])],
  [
    'a chart that does not exist',
    withData(['insights', 'execute', { ref: 'chart:a:evil', resultView: 'summary' }], {}),
  ],
  ['more results than a figure has', JSON.stringify(Array.from({ length: 51 }, () => JSON.parse(pinned(1))[0]))],
])('a pinned figure of %s is unreadable', (_, json) => {
  expect(openPinned(json)).toBeNull()
})

test('the live data is loaded again whatever its age, so that pinning again takes what is true now', async () => {
  const live = new QueryClient()
  live.setQueryData(key, table(1))
  const { client, end } = draw(pinned(1), key, () => table(2))
  end()
  await client.refresh(live)
  expect(live.getQueryData(key)).toEqual(table(2))
})
