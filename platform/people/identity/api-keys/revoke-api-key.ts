import type { revokeKey as endpoint } from '#contract/api-keys.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { clearCallerCache } from '#platform/people/identity/caller-cache.ts'
import { noSuchKey } from './no-such-key.ts'
import { type KeyFilter, lockApiKey, type LockedKey, markKeyRevoked, removeGrant } from './store.ts'

type Input = VerbInput<typeof endpoint>

/** DELETE /me/keys/{id}: the owner ends the key everywhere. */
export const revokeOwnKey = (context: Context, input: Input) =>
  revoke(context, input, { organizationId: context.organization.id, ofUser: personOf(context.caller) })

/** DELETE /keys/{id}: an admin ends the access to this organization, and nothing in others. */
export const revokeAnyKey = (context: Context, input: Input) =>
  revoke(context, input, { organizationId: context.organization.id })

async function revoke(context: Context, { keyId }: Input, filter: KeyFilter): Promise<undefined> {
  await audited(context, async (tx, record) => {
    const key = await lockApiKey(tx, filter, noSuchKey.unlessUuid(keyId))
    if (!key) throw noSuchKey.failure()
    if (key.isDemo)
      throw preconditionFailed(
        'The demo signs people in with this key. It is revoked when a second organization is created',
      )
    if (key.isRevoked) return
    const { id, kind, name } = key
    for (const organizationId of organizationsToLeave(key, filter)) {
      record({ event: 'key.revoke', organizationId, subject: id, details: { kind, name } })
      // The grants of a revoked key stay, so that later attempts to use it are in the audit log of the organization.
      if (hasOtherAccess(key, filter)) await removeGrant(tx, id, organizationId)
    }
    if (!hasOtherAccess(key, filter)) await markKeyRevoked(tx, id)
  })
  clearCallerCache(context.db)
  return undefined
}

const hasOtherAccess = ({ grants }: LockedKey, { ofUser, organizationId }: KeyFilter) =>
  ofUser === undefined && grants.some((grant) => grant.organizationId !== organizationId)

const organizationsToLeave = (key: LockedKey, filter: KeyFilter) =>
  hasOtherAccess(key, filter) ? [filter.organizationId] : key.grants.map(({ organizationId }) => organizationId)
