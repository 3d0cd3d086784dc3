import { expect, test } from 'vitest'

import { mergeSegments } from './merge-segments.ts'
import { segmentKey } from './segments.ts'

test('thousands of small segments are joined in their order, with few reads at a time', async () => {
  const run = { runId: '00000000-0000-4000-8000-000000000000', attempt: 1 }
  const segments = Array.from({ length: 2000 }, (_, index) => ({
    firstSeq: index + 1,
    lastSeq: index + 1,
    turnCount: 1,
    reasoningTurnCount: 0,
    blobKey: segmentKey(run, index + 1, index + 1),
    imageKeys: [],
    bytes: 5,
  }))
  let [reading, most] = [0, 0]
  const written: string[] = []
  const blobs = {
    async get(key: string) {
      reading += 1
      most = Math.max(most, reading)
      await new Promise(setImmediate)
      reading -= 1
      return Buffer.from(`${key.split('/').at(-1)}\n`)
    },
    put: async (_: string, bytes: Uint8Array) => void written.push(Buffer.from(bytes).toString()),
    has: async () => true,
    sizeOf: async () => 0,
    delete: async () => {},
  }
  const merged = await mergeSegments(blobs, run, segments)
  expect(merged.segments).toMatchObject([{ firstSeq: 1, lastSeq: 2000, turnCount: 2000 }])
  expect(merged.obsoleteKeys).toHaveLength(2000)
  expect(written.map((text) => text.split('\n').slice(0, 3))).toEqual([['1-1.jsonl', '2-2.jsonl', '3-3.jsonl']])
  expect(most).toBeLessThan(100)
})
