import type { Actor, Organization } from '#contract/identity.ts'
import { denied } from '#platform/ground/failures/failure.ts'

type AnyCaller = {
  actor: Actor
  /** The person in whose name the platform records changes. It says nothing about what the caller may do: ask `owns`. */
  recordedUnder: string
  /** Null for the operator and the platform itself, which use no key. */
  keyId: string | null
  organizations: Organization[]
}

/** Acts as a person: with a personal key, or for the operator or the platform itself. */
export type PersonalCaller = AnyCaller & {
  keyKind: 'personal'
  personId: string
  /** False while only an admin who got the link of the invitation vouches for the address. */
  isProven: boolean
}

/** Acts as no person. Its changes are recorded under the person who created the key, but it has only the key's own role. */
type OrganizationKeyCaller = AnyCaller & { keyKind: 'organization' }

export type Caller = PersonalCaller | OrganizationKeyCaller

export const callerOfPerson = (
  person: Actor,
  organizations: Organization[],
  keyId: string | null = null,
  isProven = true,
): PersonalCaller => ({
  actor: person,
  recordedUnder: person.id,
  personId: person.id,
  keyKind: 'personal',
  isProven,
  keyId,
  organizations,
})

/** Whether the caller is this person. False for an organization key, also for what its creator owns. */
export const owns = (caller: Caller, ownerId: string) => caller.keyKind === 'personal' && caller.personId === ownerId

/** The person that the caller acts as, or null for an organization key. */
export const personOrNull = (caller: Caller) => (caller.keyKind === 'personal' ? caller.personId : null)

/** The person that the caller acts as. Errors: `permission_denied` for an organization key, which acts as no person. */
export function personOf(caller: Caller): string {
  if (caller.keyKind !== 'personal') throw denied('Only a person can do this, with a personal API key')
  return caller.personId
}
