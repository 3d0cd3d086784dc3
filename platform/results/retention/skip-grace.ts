import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import { endGrace } from './store.ts'

/** Lets the next sweep remove what the rules name, before the time that was announced. Only for operators. */
export const skipGrace = (context: Auditing & { organization: { id: string; slug: string } }) =>
  audited(context, async (tx, record) => {
    const { id: organizationId, slug } = context.organization
    if (await endGrace(tx, organizationId)) record({ organizationId, event: 'retention.skip-grace', subject: slug })
  })
