import type { VerbInput } from '#contract/endpoint.ts'
import { type putSecret as endpoint, type Secret, SecretSlug } from '#contract/secrets.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'
import { sealSecret } from './seal.ts'
import { findSecrets, upsertSecret } from './store.ts'
import { toSecrets } from './to-secret.ts'

/**
 * PUT /secrets/{slug}: creates or replaces a secret. An omitted description is cleared. Errors: `invalid_argument` for
 * an invalid slug or value, `permission_denied`, `failed_precondition` if the installation has no encryption key.
 */
export async function putSecret(
  context: Context,
  input: VerbInput<typeof endpoint>,
): Promise<Secret & { created: boolean }> {
  const { keys, organization, caller } = context
  const slug = readSlug(input.slug)
  const place = { organizationId: organization.id, slug }
  const sealed = sealSecret(keys, place, input.value)
  return audited(context, async (tx, record) => {
    const now = await clockNow(tx)
    const description = input.description || null
    const created = await upsertSecret(tx, { ...place, ...sealed, description, userId: caller.recordedUnder, now })
    const rows = await findSecrets(tx, { organizationId: organization.id, slugs: [slug], limit: 1 })
    const [secret] = await toSecrets(tx, organization.id, rows)
    if (!secret) throw new Error('the secret was written but cannot be read')
    record({ event: 'secret.put', organizationId: organization.id, subject: slug, details: { created } })
    return { ...secret, created }
  })
}

function readSlug(text: string) {
  const slug = SecretSlug.safeParse(text)
  if (slug.success) return slug.data
  throw invalidFields(slug.error.issues.slice(0, 1).map(({ message }) => ({ path: ['slug'], message })))
}
