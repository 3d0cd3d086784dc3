import { setImmediate as nextTick } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { startSome } from './keep-sending.ts'

const fail = () => Promise.reject(new Error('The work failed'))
const succeed = () => Promise.resolve()

test('a work that fails at once ends no process while the next one is awaited, and its caller gets the fault', async () => {
  const nexts = [fail, succeed, null]
  const started = await startSome(3, async () => {
    await nextTick()
    return nexts.shift() ?? null
  })
  expect(started).toHaveLength(2)
  await expect(started[0]).rejects.toThrow('The work failed')
})

test('after a fault of the next work, those that have started are returned', async () => {
  const nexts = [fail, succeed]
  const started = await startSome(3, async () => {
    await nextTick()
    const next = nexts.shift()
    if (!next) throw new Error('The database is down')
    return next
  })
  expect((await Promise.allSettled(started)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('a fault before any work has started is thrown', async () => {
  await expect(startSome(3, fail)).rejects.toThrow('The work failed')
})

test('no more works start than there is room for', async () => {
  expect(await startSome(2, async () => succeed)).toHaveLength(2)
  expect(await startSome(0, fail)).toEqual([])
})
