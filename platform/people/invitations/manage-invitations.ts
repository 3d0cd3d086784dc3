import { randomUUID } from 'node:crypto'

import type { VerbInput } from '#contract/endpoint.ts'
import {
  type createInvitation as createEndpoint,
  invitationPath,
  type InvitationList,
  type NewInvitation,
  type revokeInvitation as revokeEndpoint,
} from '#contract/invitations.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, exhausted, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { sendInvitation } from '#platform/people/mail/send-by-hand.ts'
import {
  countRecent,
  findInvitation,
  findInvited,
  findOpenInvitations,
  insertInvitation,
  lockInvitation,
  lockOrganization,
  markInvitationRevoked,
} from './store.ts'
import { toInvitation } from './to-invitation.ts'
import { hashToken, newToken } from './token.ts'

/** The organization of the invitations, for which an operator needs no role. */
type In = { organization: { id: string; name: string } }
type NewInput = VerbInput<typeof createEndpoint>

/** GET /invitations. */
export async function listInvitations({ db, organization }: Pick<Context, 'db'> & In): Promise<InvitationList> {
  const rows = await findOpenInvitations(db, organization.id)
  return { invitations: rows.map(toInvitation) }
}

/** POST /invitations. */
export const createInvitation = (context: Context, input: NewInput) =>
  invite(context, input, { createdBy: context.caller.recordedUnder, createdWith: context.caller.keyId })

/** For the operator, whose invitations need no admin. */
export const inviteAsOperator = (services: Inviting, input: NewInput) =>
  invite(services, input, { createdBy: null, createdWith: null })

type Inviting = Auditing & Pick<Context, 'publicUrl' | 'mailer'> & In

/**
 * The response is the only place that ever has the link, but for the email. It is the same for every address that can be
 * invited, whether or not its person has an account.
 */
async function invite(
  services: Inviting,
  { email, role, expiresInDays }: NewInput,
  by: { createdBy: string | null; createdWith: string | null },
): Promise<NewInvitation> {
  const [id, token, emailed] = [randomUUID(), newToken(), newToken()]
  const organizationId = services.organization.id
  const { invitation, mayEmail } = await audited(services, async (tx, record) => {
    await lockOrganization(tx, organizationId)
    await requireUninvited(tx, services.organization, email)
    // The email has a token of its own, which nobody but the invited address gets.
    const hashes = { hash: hashToken(token), emailedHash: services.mailer && hashToken(emailed) }
    await insertInvitation(tx, { id, organizationId, email, role, ...hashes, ...by, expiresInDays })
    record({ event: 'invitation.create', organizationId, subject: email, details: { role, expiresInDays } })
    const row = await findInvitation(tx, id)
    if (!row) throw new Error('The invitation was written but cannot be read')
    return { invitation: toInvitation(row), mayEmail: isWithinLimits(await countRecent(tx, organizationId, email)) }
  })
  const link = services.publicUrl + invitationPath(token)
  if (!services.mailer) return { invitation, link }
  const emailedLink = services.publicUrl + invitationPath(emailed)
  const isEmailed = mayEmail && (await sendInvitation(services, { invitation, link: emailedLink }))
  return { invitation, link, isEmailed }
}

/** Also counts revoked invitations, so that nobody is flooded by inviting and revoking. */
const isWithinLimits = ({ inHour, toAddress }: { inHour: number; toAddress: number }) =>
  inHour <= limits.invitationEmailsPerHour && toAddress <= limits.invitationEmailsPerAddress

async function requireUninvited(tx: Database, { id, name }: In['organization'], email: string) {
  if ((await findInvited(tx, id, email)).isMember) throw conflict(`${email} is already a member of ${name}`)
  const open = await findOpenInvitations(tx, id)
  if (open.some((each) => each.email === email))
    throw conflict(
      `${email} already has an open invitation. If the link was lost, revoke the invitation and create a new one`,
    )
  if (open.length >= limits.openInvitations)
    throw exhausted(`There are already ${limits.openInvitations} open invitations. Revoke one that is not needed`)
}

/** DELETE /invitations/{id}. A second call changes nothing. */
export async function revokeInvitation(
  services: Auditing & In,
  { invitationId }: VerbInput<typeof revokeEndpoint>,
): Promise<undefined> {
  const organizationId = services.organization.id
  if (!isUuidText(invitationId)) throw noSuchInvitation()
  await audited(services, async (tx, record) => {
    const invitation = await lockInvitation(tx, organizationId, invitationId)
    if (!invitation) throw noSuchInvitation()
    const { email, role, isUsed, isRevoked } = invitation
    if (isUsed) throw preconditionFailed(`${email} has already used this invitation. Remove the member instead`)
    if (isRevoked) return
    await markInvitationRevoked(tx, invitationId)
    record({ event: 'invitation.revoke', organizationId, subject: email, details: { role } })
  })
  return undefined
}

/** The same for an invitation that does not exist and for one of another organization. */
const noSuchInvitation = () => notFound('There is no such invitation in this organization')
