import { readEmailAddress } from '#contract/wire/email-address.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { requireRemainingAdmin } from './require-remaining-admin.ts'
import { clearCallerCache } from './caller-cache.ts'
import { requireOrganization } from './require-organization.ts'
import { deleteMembership } from './store.ts'

/** Ends a membership, so the person's keys lose access to the organization. The person's work stays. */
export async function removeMember(auditing: Auditing, { org, email }: { org: string; email: string }) {
  await audited(auditing, async (tx, record) => {
    const { id } = await requireOrganization(tx, org)
    const address = readEmailAddress(email) ?? ''
    await requireRemainingAdmin(tx, id, async () => {
      if (!(await deleteMembership(tx, id, address))) throw notFound(`${email} is not a member of ${org}`)
    })
    record({ event: 'member.remove', organizationId: id, subject: address })
  })
  clearCallerCache(auditing.db)
}
