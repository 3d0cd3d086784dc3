import type { AuditActorKind, AuditDetails, AuditEventName } from '#contract/audit.ts'

/**
 * Who did something, and from where. `platform` is the program itself; `operator` is whoever runs the CLI, by the name of
 * their account; `unknown` is a caller without a live key.
 */
export type Doer = {
  kind: AuditActorKind
  id?: string
  name?: string
  requestId?: string
  address?: string
}

export const thePlatform: Doer = { kind: 'platform' }

/** What concerns several organizations is an event in each. */
export type AuditEvent = {
  event: AuditEventName
  /** Null for events of the installation, which only its operator sees. */
  organizationId: string | null
  subject?: string | undefined
  outcome?: 'accepted' | 'refused'
  details?: AuditDetails
}
