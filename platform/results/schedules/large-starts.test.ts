import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { isShared } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { scheduleTools } from '#platform/program/testing/schedule-tools.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { startDueSchedules } from './start-due.ts'

const { call, add, startsOf, makeDue } = scheduleTools(() => platform)
const platform = await openTestPlatform()
const { db } = platform.services
await platform.request('POST', '/experiments', { yaml: twoByTwo() })
afterAll(() => platform.close())

// Of four variants, so more than one transaction of the embedded database stores.
const submission = { mock: true, repeat: 60 }

test('a schedule starts more runs than one transaction stores, when it is due and by a person', async () => {
  const due = await add({ name: 'Due', submission })
  await makeDue(due.id)
  await startDueSchedules(platform.services)
  expect(await startsOf(due.id)).toMatchObject([{ cause: 'time', state: 'running' }])
  expect(await db.$count(runs)).toBe(240)
  const byHand = await add({ name: 'By hand', submission })
  expect((await call('POST', `/${byHand.id}/start`)).json).toMatchObject({ cause: 'person', state: 'running' })
  expect(await db.$count(runs)).toBe(480)
})

const prepared = async () => {
  const { rows } = (await db.execute(sql`select gid from pg_prepared_xacts`)) as unknown as { rows: unknown[] }
  return rows.length
}

test('a large start that a person forestalls while it is prepared leaves nothing', async () => {
  const before = await db.$count(runs)
  const { id } = await add({ name: 'Twice', submission })
  await makeDue(id)
  const scheduled = startDueSchedules(platform.services)
  if (!isShared(db)) await expect.poll(prepared).toBeGreaterThan(0)
  const { status } = await call('POST', `/${id}/start`)
  await scheduled
  expect([200, 412]).toContain(status)
  expect(await startsOf(id)).toHaveLength(1)
  expect(await db.$count(runs)).toBe(before + 240)
  expect(await prepared()).toBe(0)
})

test.runIf(!isShared(db))(
  'a schedule that is changed while its large start is prepared starts as it is then',
  async () => {
    const before = await db.$count(runs)
    const { id } = await add({ name: 'Changed', submission })
    await makeDue(id)
    const scheduled = startDueSchedules(platform.services)
    await expect.poll(prepared).toBeGreaterThan(0)
    expect((await call('PATCH', `/${id}`, { submission: { mock: true, repeat: 1 } })).status).toBe(200)
    await scheduled
    expect([await startsOf(id), await db.$count(runs), await prepared()]).toEqual([[], before, 0])
    await makeDue(id)
    await startDueSchedules(platform.services)
    expect(await startsOf(id)).toMatchObject([{ state: 'running' }])
    expect(await db.$count(runs)).toBe(before + 4)
  },
)
