import { audited, type Auditing } from '#platform/audit/audited.ts'
import { notFound } from '#platform/failures/failure.ts'
import { requireRemainingAdmin } from './require-remaining-admin.ts'
import { clearCallerCache } from './caller-cache.ts'
import { requireOrganization } from './require-organization.ts'
import { deleteMembership } from './store.ts'

/** Ends a membership, so the person's keys lose access to the organization. The person's work stays. */
export async function removeMember(auditing: Auditing, { org, email }: { org: string; email: string }) {
  await audited(auditing, async (tx, record) => {
    const { id } = await requireOrganization(tx, org)
    await requireRemainingAdmin(tx, id, async () => {
      if (!(await deleteMembership(tx, id, email.toLowerCase()))) throw notFound(`${email} is not a member of ${org}`)
    })
    record({ event: 'member.remove', organizationId: id, subject: email.toLowerCase() })
  })
  clearCallerCache(auditing.db)
}
