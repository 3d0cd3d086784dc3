import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { leastThreadMs, measured } from '#tools/processor-time.ts'
import { renameWritten } from './read-written.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

/** Quick to store, and slow to read: it has 90,000 combinations. */
const list = (name: string, letter: string, count: number) =>
  `${name}: [${Array.from({ length: count }, (_, index) => `${letter}${index}`).join(', ')}]\n`
const yaml = `id: slow
name: Slow
agents: [{id: a, command: [x]}]
${list('models', 'm', 300)}${list('products', 'p', 300)}variants:
  include: [{model: m1}]
  exclude: [${'{product: p1}, '.repeat(150)}{product: p2}]
# ${'x'.repeat(40_000)}
`

test('a long definition is forked in another process', measured, async () => {
  expect((await platform.request('POST', '/experiments', { yaml })).status).toBe(200)
  const statuses: number[] = []
  const readingMs = await leastThreadMs(() => renameWritten(yaml, { id: 'other', name: 'Other' }))
  const forkingMs = await leastThreadMs(async () => {
    statuses.push((await platform.request('POST', '/experiments/slow/fork', {})).status)
  })
  expect(statuses).toEqual([201, 201, 201, 201])
  expect(forkingMs).toBeLessThan(readingMs / 2)
})
