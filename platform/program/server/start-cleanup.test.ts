import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'

import { removedBlobs } from '#platform/ground/database/tables/retention.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { startCleanup } from './start-cleanup.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

test('the blobs of what was removed do not wait for the hourly cleanup', async () => {
  const { db, blobs } = platform.services
  const key = `transcripts/${randomUUID()}/0`
  await blobs.put(key, Buffer.from('turn'))
  await db.insert(removedBlobs).values({ key })
  const stop = startCleanup(platform.services)
  await expect.poll(() => blobs.has(key)).toBe(false)
  await stop()
  expect(await db.$count(removedBlobs)).toBe(0)
})
