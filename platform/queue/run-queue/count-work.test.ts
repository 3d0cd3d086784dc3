import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimBuild } from './claim-builds.ts'
import { claimRuns } from './claim-runs.ts'
import { countWork } from './count-work.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())

const environments = [{ id: 'built', ci: { command: ['make'] } }, { id: 'plain' }]
const definition = { id: 'counted', name: 'Counted', agents: [{ id: 'a', command: ['x'] }], environments }

test('work is what a worker may claim now and what workers execute: runs and builds', async () => {
  expect(await countWork(bench.db)).toEqual({ queued: 0, running: 0 })
  // Three runs without a build are queued. Three wait for one build, which is queued itself.
  await submitTestRuns(bench.db, { definition, repeat: 3 })
  expect(await countWork(bench.db)).toEqual({ queued: 4, running: 0 })

  const worker = { workerId: 'w', leaseSeconds: 60 }
  const [claimed] = await claimRuns(bench.db, worker, 1)
  await claimBuild(bench.db, worker)
  expect(await countWork(bench.db)).toEqual({ queued: 2, running: 2 })

  const waiting = await bench.db.select().from(runs).where(eq(runs.status, 'queued'))
  expect(waiting.map(({ id }) => id)).not.toContain(claimed?.id)
  await bench.db
    .update(runs)
    .set({ claimableAt: sql`now() + interval '1 hour'` })
    .where(eq(runs.id, waiting[0]?.id ?? ''))
  expect(await countWork(bench.db)).toEqual({ queued: 1, running: 2 })
})
