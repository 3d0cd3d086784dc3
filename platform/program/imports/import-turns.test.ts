import { randomUUID } from 'node:crypto'

import { afterAll, expect, test } from 'vitest'

import type { ImportState } from '#contract/imports.ts'
import { addOrganization } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { claimImport, type ImportWork, insertImport, updateImport } from './store.ts'

const { context, close } = await openTestContext()
const { db } = context
afterAll(() => close())

let minute = 0

/** Adds an import that waits, later than those before it. */
async function addImport(organizationId: string, state: ImportState) {
  const [id, createdBy] = [randomUUID(), randomUUID()]
  await db.insert(users).values({ id: createdBy, email: `${createdBy}@example.test`, name: 'Test' })
  const createdAt = `2026-11-20T10:${String((minute += 1)).padStart(2, '0')}:00.000000Z`
  await insertImport(db, { id, organizationId, createdBy, state, createdAt })
  return id
}

const claim = async (work: ImportWork) => (await claimImport(db, work))?.id ?? null
const end = (id: string) => updateImport(db, id, { state: 'done', leaseUntil: null, leaseToken: null })

test('organizations take turns, and each has one import at a time', async () => {
  const [many, one] = [await addOrganization(db), await addOrganization(db)]
  const [first, second, third] = [
    await addImport(many, 'running'),
    await addImport(many, 'undoing'),
    await addImport(many, 'running'),
  ]
  const ofOther = await addImport(one, 'running')
  expect(await claim('write')).toBe(first)
  expect(await claim('write')).toBe(ofOther)
  // The others are of an organization whose import is being worked on.
  expect(await claim('write')).toBeNull()
  await end(first)
  expect(await claim('write')).toBe(second)
  await end(second)
  const late = await addImport(await addOrganization(db), 'running')
  // The organization that never had a turn comes before older imports of one that had.
  expect([await claim('write'), await claim('write')]).toEqual([late, third])
  for (const id of [ofOther, late, third]) await end(id)
})

test('a preview does not wait for a long import of the same organization', async () => {
  const organizationId = await addOrganization(db)
  const running = await addImport(organizationId, 'running')
  expect(await claim('write')).toBe(running)
  const preview = await addImport(organizationId, 'reading')
  expect(await claim('write')).toBeNull()
  expect(await claim('preview')).toBe(preview)
})
