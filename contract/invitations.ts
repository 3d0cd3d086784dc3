import { EmailAddress } from '#contract/wire/email-address.ts'
import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Organization, Role, ShownName } from './identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The token of a link, which the link has in its fragment. It is the credential of the person who was invited. */
export const invitationToken = /^invite_[\w-]{43}$/

/** Also the answer to text that is no token at all. */
export const noSuchLink = 'This invitation link is not valid. Check that it is complete, or ask for a new invitation'

/**
 * On the requests with a token: that single sign-on has verified the email address of its holder. The value is the
 * HMAC-SHA256 of `verifiedEmailText`, in hex, with the key that only the BFF and the platform have.
 */
export const verifiedEmailHeader = 'x-assay-verified-email'

export const verifiedEmailText = (token: string, email: string) => `assay/verified-email\n${token}\n${email}`

/** The page of a link. A fragment reaches no server and no log. */
export const joinPath = '/join'

export const invitationPath = (token: string) => `${joinPath}#${token}`

/** An invitation that can still be used. The link itself is only in the response that creates it. */
export const Invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: Role,
  /** The person or key that invited. Absent for the operator. */
  invitedBy: z.string().optional(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>

/** Newest first, and complete: an organization has few open invitations. */
export const InvitationList = z.object({ invitations: z.array(Invitation) })
export type InvitationList = z.infer<typeof InvitationList>

/**
 * `link` is shown only here. `isEmailed` says whether the mail server took an email with it; absent if the installation
 * sends no email.
 */
export const NewInvitation = z.object({ invitation: Invitation, link: z.string(), isEmailed: z.boolean().optional() })
export type NewInvitation = z.infer<typeof NewInvitation>

/** What the invited person sees before they join. */
export const InvitationView = Invitation.omit({ id: true, createdAt: true }).extend({
  organizationName: z.string(),
  /**
   * The person must sign in to join. For the link of an admin, that is every person who has an account, with or without a
   * working key, so that an admin does not learn who has a key. With a token that proves the address, a person whom nobody
   * has proven joins anew.
   */
  mustSignIn: z.boolean(),
})
export type InvitationView = z.infer<typeof InvitationView>

/** `key` is shown only here. */
export const JoinedWithNewKey = z.object({ organization: Organization, keyName: z.string(), key: z.string() })
export type JoinedWithNewKey = z.infer<typeof JoinedWithNewKey>

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const
const joinErrors = [
  'invalid_argument',
  'unauthenticated',
  'not_found',
  'already_exists',
  'failed_precondition',
] as const

export const listInvitations = endpoint({
  ...shared,
  name: 'invitations.list',
  method: 'GET',
  path: '/invitations',
  summary: 'List the open invitations to the organization, newest first',
  response: InvitationList,
})

export const createInvitation = endpoint({
  ...shared,
  name: 'invitations.create',
  method: 'POST',
  path: '/invitations',
  summary: 'Invite a person to the organization by a link',
  body: z.object({
    email: EmailAddress.max(200),
    role: Role,
    expiresInDays: z.int().min(1).max(limits.invitationDays.max).default(limits.invitationDays.default),
  }),
  response: NewInvitation,
  status: 201,
  errors: [...shared.errors, 'already_exists', 'resource_exhausted'],
})

export const revokeInvitation = endpoint({
  ...shared,
  name: 'invitations.revoke',
  method: 'DELETE',
  path: '/invitations/:invitationId',
  summary: 'Revoke an invitation',
  response: z.undefined(),
  status: 204,
  errors: [...shared.errors, 'not_found', 'failed_precondition'],
})

export const acceptInvitation = endpoint({
  ...shared,
  name: 'invitations.accept',
  method: 'POST',
  path: '/join',
  summary: 'Join an organization with the personal API key of this request',
  body: z.object({ token: z.string().max(100) }),
  response: Organization,
  errors: ['permission_denied', ...joinErrors],
  organizationScoped: false,
})

export const showInvitation = endpoint({
  ...shared,
  name: 'invitations.show',
  method: 'GET',
  path: '/invitation',
  summary: 'Get the invitation of this token',
  response: InvitationView,
  errors: joinErrors,
  organizationScoped: false,
  credential: 'invitation',
})

export const joinWithNewKey = endpoint({
  ...shared,
  name: 'invitations.join',
  method: 'POST',
  path: '/invitation/join',
  summary: 'Join the organization of this token as a new person, with a new API key',
  body: z.object({ name: ShownName }),
  response: JoinedWithNewKey,
  status: 201,
  errors: joinErrors,
  organizationScoped: false,
  credential: 'invitation',
})
