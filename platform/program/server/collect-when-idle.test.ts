import { expect, test } from 'vitest'

import { collectorOf } from './collect-when-idle.ts'

const megabyte = 1024 * 1024

test('garbage is collected once after the heap has grown, and only while the process is idle', () => {
  const heap = { total: 180, busy: 0.5, collections: 0 }
  const check = collectorOf({
    total: () => heap.total * megabyte,
    busyShare: () => heap.busy,
    collect: () => {
      heap.collections += 1
      heap.total = 60
    },
  })
  check()
  expect(heap.collections).toBe(0)
  heap.busy = 0.01
  for (const _ of [1, 2, 3]) check()
  expect(heap.collections).toBe(1)
  heap.total = 80
  check()
  expect(heap.collections).toBe(1)
  heap.total = 100
  check()
  expect(heap.collections).toBe(2)
})
