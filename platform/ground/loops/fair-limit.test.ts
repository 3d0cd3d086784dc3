import { expect, test } from 'vitest'

import { fairLimit } from './fair-limit.ts'

/** A limit whose works end when the test says so. `going` lists the organizations whose works go on, in order of their starts. */
function openLimit(atOnce: number) {
  const inTurn = fairLimit(atOnce)
  const going: { organizationId: string; end: () => void }[] = []
  const works: Promise<unknown>[] = []
  return {
    going: () => going.map(({ organizationId }) => organizationId),
    async start(...organizationIds: string[]) {
      for (const organizationId of organizationIds)
        works.push(inTurn(organizationId, () => new Promise<void>((end) => going.push({ organizationId, end }))))
      await settle()
    },
    async endFirst() {
      going.shift()?.end()
      await settle()
    },
    all: () => Promise.all(works),
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('one organization has half of the places, and the other half stays free for the others', async () => {
  const limit = openLimit(4)
  await limit.start('a', 'a', 'a', 'a')
  expect(limit.going()).toEqual(['a', 'a'])
  await limit.start('b')
  expect(limit.going()).toEqual(['a', 'a', 'b'])
})

test('organizations take turns, however much one of them sent first', async () => {
  const limit = openLimit(2)
  await limit.start('a', 'a', 'a', 'a', 'b', 'c', 'c')
  const order: string[] = []
  for (let ended = 0; ended < 7; ended += 1) {
    order.push(limit.going()[0] ?? '')
    await limit.endFirst()
  }
  expect(order).toEqual(['a', 'b', 'a', 'c', 'a', 'c', 'a'])
  await limit.all()
})

test('a failed work frees its place', async () => {
  const inTurn = fairLimit(1)
  await expect(inTurn('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inTurn('b', () => Promise.resolve(1))).toBe(1)
})
