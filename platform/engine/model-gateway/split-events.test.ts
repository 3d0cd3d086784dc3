import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { createEventSplitter } from './split-events.ts'

function split(text: string, chunkBytes: number) {
  const splitter = createEventSplitter()
  const bytes = Buffer.from(text)
  const events = []
  for (let at = 0; at < bytes.byteLength; at += chunkBytes)
    events.push(...splitter.push(bytes.subarray(at, at + chunkBytes)))
  return [...events, ...splitter.end()]
}

test.each([1, 2, 3, 5, 1000])('a stream in chunks of %i bytes has the same events', (chunkBytes) => {
  const texts = ['event: é\r\ndata: {"a":1}\r\n\r\n', 'data: {"a":\ndata: 2}\n\n', ': wait\r\r', '\n\n', 'data: [DONE]']
  const data = [{ a: 1 }, { a: 2 }, undefined, undefined, undefined]
  expect(split(texts.join(''), chunkBytes)).toEqual(
    texts.map((raw, index) => ({ raw, data: data[index], isPiece: false })),
  )
})

test('the time for a long event grows no faster than its size, even if it arrives byte by byte', async () => {
  await expectLinear((bytes) => expect(split(`data: "${'x'.repeat(bytes)}"\n\n`, 1)).toHaveLength(1), 400_000)
})

test('an event that is too long to hold in memory comes in pieces, with the short fields of its data', () => {
  const long = { type: 'end', text: 'x'.repeat(33 * 1024 * 1024), usage: { output: 5 } }
  const text = `event: end\ndata: ${JSON.stringify(long)}\n\n`
  const events = split(`data: {"a":1}\n\n${text}data: {"a":2}\n\n`, 100_000)
  const pieces = events.slice(1, -1)
  expect(pieces.map(({ raw }) => raw).join('') === text).toBe(true)
  expect(Math.max(...pieces.map(({ raw }) => raw.length))).toBeLessThan(9 * 1024 * 1024)
  const datas = events.map(({ data }) => data).filter((data) => data !== undefined)
  expect(datas).toEqual([{ a: 1 }, { type: 'end', usage: { output: 5 } }, { a: 2 }])
})
