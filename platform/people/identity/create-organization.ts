import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import { conflict, invalid } from '#platform/ground/failures/failure.ts'
import { isOnlyOrganization } from './has-organizations.ts'
import { clearCallerCache } from './caller-cache.ts'
import { revokeKey } from './revoke-key.ts'
import { findDemoKeys, findOrganization, insertOrganization, lockOrganizations } from './store.ts'

const Slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)

type NewOrganization = {
  slug: string
  name?: string | undefined
  /** The start of its first billing cycle; now by default. */
  createdAt?: string
}

/**
 * Registers an organization. The slug is kebab-case. Errors: `invalid_argument` for another form, `already_exists` for
 * a slug in use. The second organization ends the demo sign-in, which makes every visitor an admin.
 */
export async function createOrganization(auditing: Auditing, input: NewOrganization) {
  if (!Slug.safeParse(input.slug).success)
    throw invalid(`"${input.slug}" is not an organization slug: use lower-case letters, digits and hyphens`)
  if (await findOrganization(auditing.db, input.slug)) throw conflict(`Organization "${input.slug}" already exists`)
  const organization = { ...input, id: randomUUID(), name: input.name ?? input.slug }
  await audited(auditing, async (tx, record) => {
    await lockOrganizations(tx)
    await insertOrganization(tx, organization)
    if (!(await isOnlyOrganization(tx))) await revokeDemoKeys({ ...auditing, db: tx })
    record({ event: 'organization.create', organizationId: organization.id, subject: organization.slug })
  })
  clearCallerCache(auditing.db)
  return organization
}

/** Looks until none is left: a person who was joining meanwhile has a key that the first look could not see. */
async function revokeDemoKeys(auditing: Auditing) {
  const find = () => findDemoKeys(auditing.db)
  for (let keys = await find(); keys.length > 0; keys = await find())
    for (const { id } of keys) await revokeKey(auditing, id)
}
