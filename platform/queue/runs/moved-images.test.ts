import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ciBuilds, runRequests } from '#platform/ground/database/tables/runs.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { findOtherImage } from './store.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())

const definition = {
  id: 'moved',
  name: 'Moved',
  agents: [{ id: 'a', command: ['true'] }],
  environments: [{ id: 'e', image: 'node:24' }],
}

test('a run whose image differs from that of another request of the same version names the newest other image', async () => {
  const { requestId } = await submitTestRuns(bench.db, { definition })
  const [first] = await bench.db.select().from(runRequests).where(eq(runRequests.id, requestId))
  if (!first) throw new Error('There is no request')
  const again = async (imageDigest: string, createdAt: string) => {
    const id = randomUUID()
    await bench.db.insert(runRequests).values({ ...first, id, createdAt })
    const build = { requestId: id, environment: 'e', status: 'passed' as const, createdAt }
    await bench.db.insert(ciBuilds).values({ ...build, imageDigest })
    return id
  }
  const { organizationId, experimentId, fingerprint } = first
  const other = (digest: string) =>
    findOtherImage(bench.db, { organizationId, experimentId, fingerprint, environment: 'e', digest })
  await again('sha256:a', '2026-01-01T00:00:00Z')
  expect(await other('sha256:a')).toBeNull()
  await again('sha256:b', '2026-01-02T00:00:00Z')
  const newest = await again('sha256:c', '2026-01-03T00:00:00Z')
  expect(await other('sha256:a')).toMatchObject({ digest: 'sha256:c', runRequestId: newest })
  expect(await other('sha256:c')).toMatchObject({ digest: 'sha256:b' })
})
