import type { Actor, KeyKind, Organization, SandboxStatus } from '#contract/identity.ts'
import type { Analytics } from './analytics.ts'
import type { AuditLog } from './audit-log.ts'
import type { Doer } from './audit-events.ts'
import type { Blobs } from '#platform/blobs/blobs.ts'
import type { Payments } from './payments.ts'
import type { CreditTerms } from './credit-terms.ts'
import type { Database } from '#platform/database/open-database.ts'
import type { InstallationKeys } from './installation-keys.ts'
import type { Version } from '#platform/polling/watch-changes.ts'

/** What every verb may use; built once per process by build-platform.ts. */
export type Services = {
  db: Database
  blobs: Blobs
  analytics: Analytics
  /** Never in the database: what encrypts secrets and signs publications. */
  keys: InstallationKeys
  sandbox: SandboxStatus
  creditTerms: CreditTerms
  /** Null where nobody takes payments. */
  payments: Payments | null
  /** Where people open the dashboard, without a trailing slash: links that leave the platform begin with it. */
  publicUrl: string
  /** The actor in audit events of changes made with these services. */
  by: Doer
  auditLog: AuditLog
  /** Tells the workers of this process that a run may be waiting; they look by themselves too. */
  wakeRunEngine: () => void
  /** Tells the projector of this process that a run has ended. */
  wakeProjector: () => void
}

/** Who calls. `userId` is the person, or for an organization key the person who made it. */
export type Caller = { actor: Actor; userId: string; keyKind: KeyKind; organizations: Organization[] }

/** The first argument of every verb: the services, the caller, and the organization the call is about. */
export type Context = Services & { caller: Caller; organization: Organization }

/** For verbs whose answer is the same for everybody with one role in one organization; it has no caller. */
export type SharedContext = Omit<Context, 'caller'>

/** For routes that pages poll. `version` is the state of the database that the answer shows, or one before it. */
export type PolledContext = SharedContext & { version: Version }
