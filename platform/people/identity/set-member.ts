import { EmailAddress } from '#contract/wire/email-address.ts'
import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { Role } from '#contract/identity.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { requireRemainingAdmin } from './require-remaining-admin.ts'
import { clearCallerCache } from './caller-cache.ts'
import { showName } from './show-name.ts'
import { requireOrganization } from './require-organization.ts'
import { findRole, upsertMembership, upsertUser } from './store.ts'

export const SetMember = z.object({
  org: z.string(),
  email: EmailAddress,
  name: z.string().trim().min(1).optional(),
  role: Role,
})

/**
 * Makes a person a member of an organization, or changes a member's role. The role applies to all their keys at once.
 */
export async function setMember(auditing: Auditing, input: z.input<typeof SetMember>) {
  const parsed = SetMember.safeParse(input)
  if (!parsed.success) throw invalid(sentencesOf(parsed.error))
  const { org, email, name, role } = parsed.data
  await audited(auditing, async (tx, record) => {
    const { id: organizationId } = await requireOrganization(tx, org)
    const user = await upsertUser(tx, {
      id: randomUUID(),
      email,
      name: name ?? email.split('@')[0] ?? email,
    })
    const before = await findRole(tx, { organizationId, userId: user.id })
    await requireRemainingAdmin(tx, organizationId, async () => {
      await upsertMembership(tx, { organizationId, userId: user.id, role })
    })
    await showName(tx, user)
    const details = { role, ...(before && { roleBefore: before }) }
    record({ event: 'member.set', organizationId, subject: email, details })
  })
  clearCallerCache(auditing.db)
}
