import { unprovenMessage } from '#contract/identity.ts'
import { can, viewersRefused } from '#contract/permissions.ts'
import { personOf } from './caller.ts'
import type { Context } from './context.ts'
import { denied } from '#platform/ground/failures/failure.ts'

/** Errors: `permission_denied`. */
export function requireOrganizationAdmin({ organization }: Context) {
  if (!can(organization).manageOrganization) throw denied('Only admins of the organization can do this')
}

/** For what a route open to viewers can also write. Errors: `permission_denied` for viewers. */
export function requireWriter({ organization }: Pick<Context, 'organization'>) {
  if (!can(organization).write) throw denied(viewersRefused)
}

/** An organization key acts for no person, so it has no keys or profile of its own. Errors: `permission_denied`. */
export function requirePerson({ caller }: Pick<Context, 'caller'>) {
  personOf(caller)
}

/** Somebody else may have joined with this person's address. Errors: `permission_denied`. */
export function requireProvenPerson({ caller }: Pick<Context, 'caller'>) {
  personOf(caller)
  if (caller.keyKind === 'personal' && !caller.isProven) throw denied(unprovenMessage)
}
