import { and, eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { performBatch } from './perform-batch.ts'

test('12,000 runs are canceled, and more than the limit are refused', async () => {
  const platform = await openTestPlatform()
  onTestFinished(() => platform.close())
  const post = (path: string, body: object = {}) => platform.request('POST', path, { body })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('many') })
  const submit = () => post('/experiments/many/runs', { mock: true, repeat: 1000 })
  for (let request = 0; request < 3; request += 1) await submit()
  const { id, touched } = (await post('/bulk-actions', { kind: 'cancel' })).json
  expect(touched).toBe(12_000)
  await post(`/bulk-actions/${id}/start`)
  while (await performBatch(platform.services));
  const { json } = await platform.request('GET', `/bulk-actions/${id}`)
  expect(json).toMatchObject({ state: 'done', progress: { done: 12_000 } })
  const canceled = and(eq(runs.experimentId, 'many'), eq(runs.status, 'canceled'))
  expect(await platform.services.db.$count(runs, canceled)).toBe(12_000)
  for (let request = 0; request < 3; request += 1) await submit()
  const refused = await post('/bulk-actions', { kind: 'tag', newTag: 'x' })
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('More than 20,000 runs match')])
})
