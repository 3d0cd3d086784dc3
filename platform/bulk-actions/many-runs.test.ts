import { and, eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import { runs } from '#platform/database/tables/runs.ts'
import { twoByTwo } from '#platform/testing/definitions.ts'
import { openTestPlatform } from '#platform/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'
import { performBatch } from './perform-batch.ts'

test('thousands of runs are canceled, and more than the limit are refused', async () => {
  const platform = await openTestPlatform()
  onTestFinished(() => platform.close())
  const post = (path: string, body: object = {}) => platform.request('POST', path, { body })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('many') })
  const submit = () => post('/experiments/many/runs', { mock: true, repeat: 1000 })
  const submissions = atLength(1, 3)
  for (let request = 0; request < submissions; request += 1) await submit()
  const submitted = 4000 * submissions
  const { id, touched } = (await post('/bulk-actions', { kind: 'cancel' })).json
  expect(touched).toBe(submitted)
  await post(`/bulk-actions/${id}/start`)
  while (await performBatch(platform.services));
  const { json } = await platform.request('GET', `/bulk-actions/${id}`)
  expect(json).toMatchObject({ state: 'done', progress: { done: submitted } })
  const canceled = and(eq(runs.experimentId, 'many'), eq(runs.status, 'canceled'))
  expect(await platform.services.db.$count(runs, canceled)).toBe(submitted)
  await platform.services.db.execute(sql`
    insert into runs select copy.* from (select * from runs limit 1) as original, generate_series(1, ${20_001 - submitted}) as n,
      jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'composite_id', 'copy::' || n)) as copy`)
  const refused = await post('/bulk-actions', { kind: 'tag', newTag: 'x' })
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('More than 20,000 runs match')])
})
