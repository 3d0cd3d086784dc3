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

export type AuditActorKind = 'person' | 'organization key' | 'operator' | 'platform' | 'unknown'

/** Facts about an event. They contain no secrets, and only the prefix of a key. */
export type AuditDetails = Record<string, string | number | boolean | undefined>
