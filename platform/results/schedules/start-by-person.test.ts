import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { finishStarts } from './finish-starts.ts'
import { startDueSchedules } from './start-due.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const push = (description: string) =>
  platform.request('POST', '/experiments', { yaml: twoByTwo('pushed', `description: ${description}`) })

async function startAndFinish(id: string) {
  const { json } = await platform.request('POST', `/schedules/${id}/start`)
  const { db } = platform.services
  await db.update(runs).set({ status: 'completed' }).where(eq(runs.requestId, json.runRequestId))
  await finishStarts(platform.services)
}

test('after a person has started a version, its push starts nothing, and the next push starts the next version', async () => {
  await push('first')
  const schedule = { name: 'Pushed', experimentId: 'pushed', trigger: { kind: 'push' }, submission: { mock: true } }
  const { id } = (await platform.request('POST', '/schedules', { body: schedule })).json
  const starts = async () => (await platform.request('GET', `/schedules/${id}/starts`)).json.starts
  await push('second')
  await startAndFinish(id)
  await startDueSchedules(platform.services)
  expect(await starts()).toMatchObject([{ cause: 'person', ordinal: 2, state: 'finished' }])
  await push('third')
  await startDueSchedules(platform.services)
  expect((await starts())[0]).toMatchObject({ cause: 'push', ordinal: 3, state: 'running' })
})
