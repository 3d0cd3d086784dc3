import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'

import { FigureRecorder } from './figure-recorder.ts'

const { stored } = vi.hoisted(() => ({ stored: [] as string[] }))
vi.mock('#src/api/report-figures.ts', () => ({
  storeFigure: (_page: string, json: string) => {
    stored.push(json)
    return Promise.resolve({ id: 'x' })
  },
}))

/** Draws views that asked for these data through the recorder, and pins them. */
async function pin(shown: readonly { key: readonly unknown[]; data: unknown }[]) {
  const shared = new QueryClient()
  const recorder = new FigureRecorder(shared)
  for (const { key, data } of shown) {
    shared.setQueryData(key, data)
    new QueryObserver(recorder, { queryKey: key, queryFn: () => data, staleTime: Infinity }).subscribe(() => {})
  }
  await recorder.pin('/runs/r1')
  return JSON.parse(stored.at(-1) ?? '') as { key: unknown[]; data: unknown }[]
}

const turn = { seq: 3, ts: null, role: 'user', kind: 'message', text: 'Hi' }
const excerpt = { key: ['runs', 'get', { id: 'r1', transcript: true }, 'excerpt', 3], data: [turn] }

test('only the results that a pinned figure shows are stored, without fields that it does not know', async () => {
  const run = { key: ['runs', 'get', { id: 'r1' }], data: { id: 'r1', triggeredBy: { email: 'ada@x.example' } } }
  const other = { key: ['runs', 'get', { id: 'r1' }, 'turns'], data: [turn] }
  const reader = { key: ['identity', 'whoami', {}], data: { actor: { name: 'x' } } }
  const more = { ...excerpt, data: [{ ...turn, secret: 'y' }] }
  expect(await pin([run, other, reader, more])).toEqual([{ ...excerpt, at: expect.any(Number) }])
})

test('a pinned figure stores the data of its own query and nothing else', async () => {
  const wrong = { key: [...excerpt.key.slice(0, 4), 4], data: { turns: [turn] } }
  expect(await pin([excerpt, wrong])).toEqual([{ ...excerpt, at: expect.any(Number) }])
})
