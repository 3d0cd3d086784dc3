import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { denied } from '#platform/ground/failures/failure.ts'
import type { FeedKey } from './store.ts'

/** An organization key has no feed, so it gets `permission_denied`. */
export function requirePerson({ caller }: Pick<Context, 'caller'>) {
  if (caller.keyKind !== 'personal')
    throw denied('Notifications belong to a person. Use a personal API key instead of an organization key')
}

/** The feed of the calling person. */
export const feedOf = ({ caller, organization }: Pick<Context, 'caller' | 'organization'>): FeedKey => ({
  userId: personOf(caller),
  organizationId: organization.id,
})
