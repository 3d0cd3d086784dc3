import { setTimeout as delay } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { borrowInMemory } from '#platform/program/testing/in-memory-database.ts'
import { giveWay } from './give-way.ts'
import type { OpenDatabase } from './open-database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await borrowInMemory()
})
afterAll(() => database.close())

test('a part of long work that took a busy machine half a second is followed by a pause as long', async () => {
  let partMs = 0
  const startedAt = performance.now()
  const result = await giveWay(database.db, async () => {
    await delay(500)
    partMs = performance.now() - startedAt
    return 'done'
  })
  expect(result).toBe('done')
  // A timer may be a millisecond early, and late by any time.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * partMs - 2)
})
