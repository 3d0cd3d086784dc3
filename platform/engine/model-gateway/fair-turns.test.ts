import { expect, test } from 'vitest'

import { fairTurns } from './fair-turns.ts'

/** Work that ends when the test says so. `started` has the names of what has started, in order. */
function scripted(atOnce: number) {
  const turns = fairTurns(atOnce)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const settled = () => new Promise((done) => setImmediate(done))
  return {
    started,
    async add(organizationId: string, name: string) {
      void turns(organizationId, () => {
        started.push(name)
        return new Promise<void>((done) => ends.set(name, done))
      })
      await settled()
    },
    async end(name: string) {
      ends.get(name)?.()
      await settled()
    },
  }
}

test('an organization with much work leaves a place for the others', async () => {
  const work = scripted(2)
  for (const name of ['a1', 'a2', 'a3']) await work.add('a', name)
  expect(work.started).toEqual(['a1'])
  await work.add('b', 'b1')
  expect(work.started).toEqual(['a1', 'b1'])
})

test('organizations have turns, and the work of each keeps its order', async () => {
  const work = scripted(1)
  for (const name of ['a1', 'a2', 'a3']) await work.add('a', name)
  for (const name of ['b1', 'b2']) await work.add('b', name)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await work.end(name)
  expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('work that fails frees its place', async () => {
  const turns = fairTurns(1)
  await expect(turns('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns('b', async () => 'done')).toBe('done')
})
