import { EmailAddress } from '#contract/wire/email-address.ts'
import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { KeyKind, Role } from '#contract/identity.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { clearCallerCache } from './caller-cache.ts'
import { issueKey } from './issue-key.ts'
import { provePerson } from './prove-person.ts'
import { showName } from './show-name.ts'
import { findOrganization, findRole, insertMembership, upsertUser } from './store.ts'

export const NewKey = z.object({
  organizations: z.array(z.string()).min(1),
  email: EmailAddress,
  name: z.string().trim().min(1).optional(),
  /** Optional for a person who is already a member of all the organizations. */
  role: Role.optional(),
  kind: KeyKind,
  keyName: z.string().trim().min(1).max(100).optional(),
  expiresAt: Timestamp.optional(),
})

/**
 * Creates an API key with access to the given organizations and returns it. This is the only time it is shown.
 * A personal key also makes its person a member with that role. The operator vouches for that person.
 */
export async function createKey(
  auditing: Auditing,
  input: z.input<typeof NewKey>,
  { isDemo = false } = {},
): Promise<string> {
  const parsed = NewKey.safeParse(input)
  if (!parsed.success) throw invalid(sentencesOf(parsed.error))
  const { email, name, role, kind, organizations, keyName, expiresAt } = parsed.data
  const issued = await audited(auditing, async (tx, record) => {
    const user = await upsertUser(tx, {
      id: randomUUID(),
      email,
      name: name ?? email.split('@')[0] ?? email,
    })
    if (kind === 'personal') await provePerson(tx, user, { record })
    const grants = []
    for (const slug of organizations) {
      const organization = await findOrganization(tx, slug)
      if (!organization) throw notFound(`Organization "${slug}" does not exist`)
      const place = { organizationId: organization.id, userId: user.id }
      const granted = kind === 'personal' ? await join(tx, place, role, `${email} in ${slug}`) : role
      if (!granted) throw invalid('An organization key needs a role')
      grants.push({ organizationId: organization.id, role: granted })
    }
    if (kind === 'personal') await showName(tx, user)
    const usualName = kind === 'personal' ? `${user.name}'s key` : `${organizations.join(', ')} key`
    const key = { kind, name: keyName ?? usualName, isDemo, userId: user.id, grants, expiresAt }
    const issued = await issueKey(tx, key)
    for (const { organizationId, role } of grants) {
      const details = { keyPrefix: issued.prefix, kind, role, email: user.email }
      record({ event: 'key.create', organizationId, subject: issued.id, details })
    }
    return issued
  })
  clearCallerCache(auditing.db)
  return issued.key
}

/** A personal key acts with its person's role, so creating one must not change an existing role. */
async function join(
  tx: Database,
  place: { organizationId: string; userId: string },
  role: Role | undefined,
  who: string,
) {
  if (role) await insertMembership(tx, { ...place, role })
  const actual = await findRole(tx, place)
  if (!actual) throw invalid(`Give a role for ${who}, who is not a member yet`)
  if (role && role !== actual)
    throw preconditionFailed(`${who} is already ${actual}, and a personal key acts with that role`)
  return actual
}
