/** Every event of the audit trail. */
export type AuditEventName =
  | 'sign-in'
  | 'authentication'
  | 'permission'
  | 'organization.create'
  | 'member.set'
  | 'member.remove'
  | 'key.create'
  | 'key.revoke'
  | 'secret.put'
  | 'secret.delete'
  | 'secret.rotate'
  | 'insight.share'
  | 'insight.revoke'

/**
 * Who did something, and from where. `platform` is the program itself; `operator` is whoever runs the CLI, by the name of
 * their account; `unknown` is a caller without a live key.
 */
export type Doer = {
  kind: 'person' | 'organization key' | 'operator' | 'platform' | 'unknown'
  id?: string
  name?: string
  requestId?: string
  address?: string
}

export const thePlatform: Doer = { kind: 'platform' }

/** `details` hold no secret and of a key its prefix alone. What concerns several organizations is an event in each. */
export type AuditEvent = {
  event: AuditEventName
  /** Null for events of the installation, which only its operator sees. */
  organizationId: string | null
  subject?: string | undefined
  outcome?: 'accepted' | 'refused'
  details?: Record<string, string | number | boolean | undefined>
}
