import type { Context } from '#platform/context.ts'
import { denied } from '#platform/failure.ts'
import type { FeedKey } from './store.ts'

/** The feed of whoever calls. An organization key has none (spec, Authentication 4): `permission_denied`. */
export function requirePerson({ caller, organization }: Pick<Context, 'caller' | 'organization'>): FeedKey {
  if (caller.keyKind !== 'personal')
    throw denied('Notifications belong to a person: use a personal API key, not an organization key')
  return { userId: caller.userId, organizationId: organization.id }
}
