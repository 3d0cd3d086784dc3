import type { VerbInput } from '#contract/endpoint.ts'
import type { deleteSecret as endpoint } from '#contract/secrets.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { removeSecret } from './store.ts'

/**
 * DELETE /secrets/{slug}: a missing secret is no error. Runs that already received the value keep it. Errors:
 * `permission_denied`.
 */
export async function deleteSecret(context: Context, { slug }: VerbInput<typeof endpoint>): Promise<undefined> {
  const organizationId = context.organization.id
  await audited(context, async (tx, record) => {
    const isGone = await removeSecret(tx, { organizationId, slug })
    if (isGone) record({ event: 'secret.delete', organizationId, subject: slug })
  })
}
