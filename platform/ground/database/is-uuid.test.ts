import { randomUUID } from 'node:crypto'

import { type SQL, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { noAuditLog } from '#platform/ground/services/audit-log.ts'
import { platformActor } from '#platform/ground/services/audit-events.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { isUuid } from './is-uuid.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

test('isUuid finds a row by an id in upper case too, and no row by any other text', async () => {
  const { db } = database
  const { id } = await createOrganization({ db, by: platformActor, auditLog: noAuditLog }, { slug: 'lab' })
  const found = (text: string) => db.$count(organizations, isUuid(organizations.id, text))
  expect(await Promise.all([found(id), found(id.toUpperCase()), found(randomUUID())])).toEqual([1, 1, 0])
  const others = ['', 'lab', `{${id}}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`, "'", 'a\0']
  expect(await Promise.all(others.map(found))).toEqual(others.map(() => 0))
})

test('isUuid can use an index', async () => {
  const plan = (where: SQL) =>
    database.db.transaction(async (tx) => {
      // The planner would read all of such a small table, whatever its indexes.
      await tx.execute(sql`set local enable_seqscan = off`)
      return JSON.stringify(await tx.execute(sql`explain select 1 from ${organizations} where ${where}`))
    })
  expect(await plan(isUuid(organizations.id, randomUUID()))).toContain('organizations_pkey')
})
