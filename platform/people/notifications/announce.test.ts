import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { memberships, organizations, users } from '#platform/ground/database/tables/identity.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { announce } from './announce.ts'
import { lockAllNotificationClocks } from './store.ts'
import { notificationClocks, notificationEntries } from '#platform/ground/database/tables/notifications.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

test('an announcement is the latest entry of every organization, and locks no clock of an organization created meanwhile', async () => {
  const { db } = platform.services
  for (const slug of ['one', 'two']) await createOrganization(platform.services, { slug })
  const id = randomUUID()
  const past = '2020-01-01T00:00:00.000000Z'
  const occurredAt = await db.transaction(async (tx) => {
    const update = tx.update.bind(tx)
    const arriving: Promise<unknown>[] = []
    // A transaction runs its statements in order: the new organization appears right before the second one.
    vi.spyOn(tx, 'update').mockImplementation((table) => {
      arriving.push(tx.insert(organizations).values({ id, slug: 'newcomer', name: 'Newcomer' }).execute())
      arriving.push(tx.insert(notificationClocks).values({ organizationId: id, occurredAt: past }).execute())
      return update(table)
    })
    const time = await lockAllNotificationClocks(tx)
    await Promise.all(arriving)
    return time
  })
  const clocks = await db.select().from(notificationClocks)
  const timeOf = new Map(clocks.map((clock) => [clock.organizationId, clock.occurredAt]))
  expect([timeOf.get(id), timeOf.size]).toEqual([past, 4])
  timeOf.delete(id)
  expect(new Set(timeOf.values())).toEqual(new Set([occurredAt]))
})

test('an announcement reaches more people than one statement has parameters for', async () => {
  const { db } = platform.services
  await db.execute(sql`
    insert into ${users} (id, email, name)
    select gen_random_uuid(), 'crowd' || n || '@lab.example', 'Crowd' from generate_series(1, 14000) as n`)
  await db.execute(sql`
    insert into ${memberships} (organization_id, user_id, role)
    select ${platform.organization.id}, id, 'member' from ${users} where name = 'Crowd'`)
  const reached = await announce(platform.services, { title: 'Crowd', message: 'Welcome' })
  expect(reached).toBeGreaterThanOrEqual(14_000)
  const [crowd] = await db.select().from(users).where(eq(users.email, 'crowd13999@lab.example'))
  const notified = await db
    .select()
    .from(notificationEntries)
    .where(eq(notificationEntries.userId, crowd?.id ?? ''))
  expect([notified.length, await db.$count(notificationEntries)]).toEqual([1, reached])
})
