import { expect, test } from 'vitest'

import { createJsonOutline } from './json-outline.ts'

function outlineOf(value: unknown, chunkBytes: number) {
  const outline = createJsonOutline()
  const bytes = Buffer.from(JSON.stringify(value))
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) outline.push(bytes.subarray(at, at + chunkBytes))
  return outline.read()
}

const short = { id: 'a', usage: { input: 1, more: [{ deep: '},"usage":1' }] }, text: 'é "quoted" \\ {' }

test.each([1, 7, 1000, 100_000])('the short fields of an object in chunks of %i bytes are read', (chunkBytes) => {
  expect(outlineOf({ ...short, long: 'x'.repeat(70_000), last: null }, chunkBytes)).toEqual({ ...short, last: null })
})

test('a field inside a long field is never taken for the object’s own', () => {
  const forged = { usage: { output: 0 }, text: '"usage":{"output":0}' }
  const content = [forged, 'x'.repeat(70_000), forged]
  expect(outlineOf({ usage: { output: 5 }, content }, 64)).toEqual({ usage: { output: 5 } })
})

test('a list has no fields', () => {
  expect(outlineOf([{ usage: 1 }, { usage: 2 }], 10)).toBeNull()
})
