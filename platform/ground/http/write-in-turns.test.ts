import { expect, test } from 'vitest'
import { z } from 'zod'

import { writeInTurns } from './write-in-turns.ts'

const Entry = z.object({ id: z.string(), at: z.number().optional() })
const Response = z.object({ name: z.string(), gone: z.string().optional(), list: z.array(Entry), more: z.array(Entry) })
const entries = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `entry “${at}”`, at, secret: at }))
const written = async (schema: z.ZodType, response: unknown) => String(await writeInTurns(schema, response))

test.each([0, 1, 500, 501, 1000, 20_001])('a list of %i entries is written as if at once', async (count) => {
  const response = { name: 'n', list: entries(count), more: entries(2), unknown: 1 }
  expect(JSON.parse(await written(Response, response))).toEqual(Response.parse(response))
})

test('others have a turn after every 500 entries of a long list', async () => {
  let read = 0
  const counted = Entry.transform((entry) => {
    read += 1
    return entry
  })
  const readAtTurns: number[] = []
  let isWritten = false
  const look = () => {
    readAtTurns.push(read)
    if (!isWritten) setImmediate(look)
  }
  setImmediate(look)
  await writeInTurns(z.object({ list: z.array(counted) }), { list: entries(20_000) })
  isWritten = true
  const steps = readAtTurns.map((now, at) => now - (readAtTurns[at - 1] ?? 0))
  expect(read).toBe(20_000)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1000)
})

test.each([
  ['an entry', Response, { name: 'n', list: [...entries(900), { id: 1 }], more: [] }],
  ['another field', Response, { list: entries(900), more: [] }],
  ['a whole list', z.object({ list: z.array(Entry).max(10) }), { list: entries(900) }],
  ['a whole response', Response.refine(() => false), { name: 'n', list: entries(900), more: [] }],
])('a long response is refused for %s that its schema refuses', async (_, schema, response) => {
  await expect(writeInTurns(schema, response)).rejects.toThrow(z.core.$ZodError)
})
