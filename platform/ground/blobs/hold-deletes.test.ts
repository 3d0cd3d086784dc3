import { expect, test } from 'vitest'

import { withHeldDeletes } from './hold-deletes.ts'

test('what was deleted during a backup is deleted afterwards, some at a time, unless it was written again', async () => {
  const blobs = new Map(Array.from({ length: 1000 }, (_, index) => [`${index}`, Buffer.from('old')]))
  let [going, most] = [0, 0]
  const nothing = async () => '1'
  const store = withHeldDeletes({
    place: '',
    put: async (key, bytes) => void blobs.set(key, Buffer.from(bytes)),
    get: async (key) => blobs.get(key) ?? null,
    has: async (key) => blobs.has(key),
    sizeOf: async () => 0,
    async delete(key) {
      going += 1
      most = Math.max(most, going)
      await new Promise(setImmediate)
      going -= 1
      blobs.delete(key)
    },
    async *list() {},
    readId: nothing,
    writeId: nothing,
    removeUnfinished: nothing,
  })
  const release = store.holdDeletes()
  for (const key of blobs.keys()) await store.delete(key)
  await store.put('0', Buffer.from('new'))
  expect(blobs.size).toBe(1000)
  const released = release()
  await store.put('999', Buffer.from('new'))
  await released
  expect([...blobs].map(([key, bytes]) => [key, bytes.toString()])).toEqual([
    ['0', 'new'],
    ['999', 'new'],
  ])
  expect(most).toBeLessThan(100)
})
