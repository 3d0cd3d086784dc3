import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { chdbAnalytics } from '#platform/analysis/analytics/chdb/chdb-analytics.ts'
import { projectRuns } from './project-runs.ts'
import { schemaVersion } from '#platform/analysis/analytics/create-tables.ts'
import { startProjector } from './start-projector.ts'
import { countOutboxRows } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-rebuild-'))
const { context, close } = await openTestContext()
const organizationId = context.organization.id
const ofOrganization = join(folder, organizationId)

afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

const open = () => ({ ...context, analytics: chdbAnalytics({ folder }) })
const runsHeld = 'SELECT toUInt32(count()) AS runs FROM runs FINAL'

test('rows of an older schema are rewritten when the platform starts, and no query misses them meanwhile', async () => {
  const before = open()
  for (let i = 0; i < 3; i++)
    await addFinishedRun(context.db, { organizationId, experimentId: 'e', outcomes: { one: 'passed' } })
  expect(await projectRuns(before, organizationId)).toBe(3)
  expect(await before.analytics.findOutdated()).toEqual([])
  await before.analytics.close()
  renameSync(join(ofOrganization, `v${schemaVersion}`), join(ofOrganization, `v${schemaVersion - 1}`))

  const after = open()
  expect(await after.analytics.findOutdated()).toEqual([organizationId])
  await expect(after.analytics.query(organizationId, runsHeld)).rejects.toMatchObject({ code: 'unavailable' })
  const projector = startProjector(after, { intervalMilliseconds: 20 })
  await expect.poll(() => after.analytics.findOutdated()).toEqual([])
  await expect.poll(() => countOutboxRows(context.db, organizationId)).toBe(0)
  await projector.stop()
  expect(await after.analytics.query(organizationId, runsHeld)).toEqual([{ runs: 3 }])
  await after.analytics.close()
})

test('an analytics folder without a schema version, or whose deletion was interrupted, counts as outdated', async () => {
  rmSync(ofOrganization, { recursive: true })
  mkdirSync(ofOrganization)
  const { analytics } = open()
  expect(await analytics.findOutdated()).toEqual([organizationId])
  writeFileSync(join(ofOrganization, 'status'), 'old')
  expect(await analytics.findOutdated()).toEqual([organizationId])
  await analytics.clear(organizationId)
  expect(await analytics.findOutdated()).toEqual([])
  expect(await analytics.query(organizationId, runsHeld)).toEqual([{ runs: 0 }])
  await analytics.close()
})
