import { expect, test } from 'vitest'

import type { Database } from '#platform/ground/database/open-database.ts'
import { insertRuns } from './store.ts'

const run = {
  id: 'r',
  organizationId: 'o',
  requestId: 'q',
  compositeId: 'c',
  experimentId: 'e',
  fingerprint: 'f',
  ordinal: 1,
  triggeredBy: 'u',
  variantId: 'v',
  agent: 'a',
  agentMode: null,
  model: null,
  product: null,
  environment: null,
  prompt: null,
  repeat: 1,
  mock: true,
  spendKind: 'managed' as const,
  retries: 0,
  status: 'queued' as const,
  createdAt: '2026-11-27T00:00:00.000000Z',
  statusUpdatedAt: '2026-11-27T00:00:00.000000Z',
}

test('the runs of a large request are made a few at a time, between the statements that insert them', async () => {
  let made = 0
  const madeBefore: number[] = []
  const tx: Database = Object.create({ execute: async () => madeBefore.push(made) })
  const runs = await insertRuns(tx, Array.from({ length: 250 }), () => {
    made += 1
    return run
  })
  expect(runs).toHaveLength(250)
  expect(madeBefore).toEqual([100, 200, 250])
})
