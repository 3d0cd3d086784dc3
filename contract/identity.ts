import { z } from 'zod'

import { endpoint } from './endpoint.ts'

export const Role = z.enum(['admin', 'member'])
export type Role = z.infer<typeof Role>

export const KeyKind = z.enum(['personal', 'organization'])
export type KeyKind = z.infer<typeof KeyKind>

/** A person as other records show them; an organization key has a name of its own and no email. */
export const Actor = z.object({ id: z.string(), email: z.string().optional(), name: z.string() })
export type Actor = z.infer<typeof Actor>

export const Organization = z.object({ id: z.uuid(), slug: z.string(), name: z.string(), role: Role })
export type Organization = z.infer<typeof Organization>

/** Whether real runs can start here; `reason` says why not, as the page shows it. */
export const SandboxStatus = z.object({
  kind: z.enum(['bubblewrap', 'sandbox-exec', 'none', 'unavailable']),
  available: z.boolean(),
  reason: z.string().optional(),
})
export type SandboxStatus = z.infer<typeof SandboxStatus>

/** Whether this server runs SQL that users write; `reason` says why not, as the page shows it. */
const SqlStatus = z.object({ available: z.boolean(), reason: z.string().optional() })

export const WhoAmI = z.object({
  actor: Actor,
  keyKind: KeyKind,
  organizations: z.array(Organization),
  sandbox: SandboxStatus,
  /** Our addition; another deployment of the API may leave it out. */
  sql: SqlStatus.optional(),
})
export type WhoAmI = z.infer<typeof WhoAmI>

export const SignInMethod = z.enum(['key', 'demo', 'provider'])
export type SignInMethod = z.infer<typeof SignInMethod>

/** On GET /whoami: the caller starts a session with this key, and the platform's audit trail records it. */
export const signInHeader = 'x-assay-sign-in'

export const whoami = endpoint({
  name: 'identity.whoami',
  method: 'GET',
  path: '/whoami',
  summary: 'The authenticated caller and the organizations its key can see',
  response: WhoAmI,
  errors: ['unauthenticated'],
  organizationScoped: false,
})
