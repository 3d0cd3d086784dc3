import { randomUUID } from 'node:crypto'

import { and, eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'

import { runStatuses } from '#contract/run-status.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { solvedOf } from '#platform/ground/database/tables/solved-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { foldRows } from './version-count-store.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

type Row = Record<string, unknown>
const rowsOf = async (statement: ReturnType<typeof sql>) =>
  ((await platform.services.db.execute(statement)) as unknown as { rows: Row[] }).rows

const place = sql`organization_id, experiment_id, fingerprint, status`

/** What lists read, and the same from the runs themselves. */
const counted = () =>
  rowsOf(sql`select ${place}, cause, sum(runs)::int as runs, sum(passed)::int as passed, sum(failed)::int as failed,
    sum(unresolved)::int as unresolved, sum(errored)::int as errored, sum(skipped)::int as skipped,
    sum(judged)::int as judged, sum(solved)::int as solved
    from version_counts group by ${place}, cause having sum(runs) <> 0 order by ${place}, cause`)
const recounted = () =>
  rowsOf(sql`select ${place}, infrastructure_cause as cause, count(*)::int as runs, sum(tests_passed)::int as passed,
    sum(tests_failed)::int as failed, sum(tests_unresolved)::int as unresolved, sum(tests_errored)::int as errored,
    sum(tests_skipped)::int as skipped, count(${solvedOf(runs)})::int as judged,
    count(*) filter (where ${solvedOf(runs)})::int as solved
    from ${runs} group by ${place}, infrastructure_cause order by ${place}, infrastructure_cause`)

const organizationId = () => platform.organization.id
const versions = ['one', 'two'] as const
const few = fc.integer({ min: 0, max: 2 })
const change = fc.record({
  kind: fc.constantFrom('add', 'change', 'change', 'remove', 'fold', 'roll back'),
  experimentId: fc.constantFrom(...versions),
  set: fc.record({
    status: fc.constantFrom(...runStatuses),
    infrastructureCause: fc.constantFrom(null, 'worker_lost' as const, 'provider_outage' as const),
    testsPassed: few,
    testsFailed: few,
    testsErrored: few,
  }),
})

test('the counts of versions equal those of their runs after any changes, also folded and rolled back', async () => {
  const { db } = platform.services
  const fingerprints: Record<string, string> = {}
  for (const experimentId of versions)
    fingerprints[experimentId] = await addVersion(db, { organizationId: organizationId(), experimentId, ordinal: 1 })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      for (const { kind, experimentId, set } of changes) {
        const some = and(eq(runs.experimentId, experimentId), sql`random() < 0.6`)
        if (kind === 'add')
          await addFinishedRun(db, {
            organizationId: organizationId(),
            experimentId,
            fingerprint: fingerprints[experimentId] ?? '',
            outcomes: { a: 'passed' },
          })
        else if (kind === 'change') await db.update(runs).set(set).where(some)
        else if (kind === 'fold') await foldRows(db, organizationId(), 0)
        else if (kind === 'remove') {
          await db.execute(sql`delete from analytics_outbox`)
          await db.execute(sql`delete from captured_tests`)
          await db.execute(sql`delete from run_status_changes`)
          await db.delete(runs).where(some)
        } else
          await expect(
            db.transaction(async (tx) => {
              await tx.update(runs).set(set)
              throw new Error('rolled back')
            }),
          ).rejects.toThrow('rolled back')
      }
      expect(await counted()).toEqual(await recounted())
    }),
    { numRuns: 15 },
  )
})

test('a version keeps few rows, however many changes its runs had, and the list says the same before and after', async () => {
  const { db } = platform.services
  const experimentId = `busy-${randomUUID().slice(0, 8)}`
  const fingerprint = await addVersion(db, { organizationId: organizationId(), experimentId, ordinal: 1 })
  for (let run = 0; run < 60; run += 1)
    await addFinishedRun(db, { organizationId: organizationId(), experimentId, fingerprint, outcomes: { a: 'passed' } })
  await db.update(runs).set({ status: 'errored' }).where(eq(runs.experimentId, experimentId))
  const list = async () => (await platform.request('GET', `/experiments?search=${experimentId}`)).json.experiments
  const before = await list()
  const rows = () => rowsOf(sql`select 1 from version_counts where experiment_id = ${experimentId}`)
  expect((await rows()).length).toBeGreaterThan(100)
  await Promise.all([foldRows(db, organizationId()), foldRows(db, organizationId())])
  expect((await rows()).length).toBeLessThanOrEqual(2)
  expect(await list()).toEqual(before)
  expect(before[0]).toMatchObject({ runCount: 60, latestSolved: { solved: 60, runs: 60 } })
})
