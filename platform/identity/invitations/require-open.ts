import { noSuchLink } from '#contract/invitations.ts'
import type { Database } from '#platform/database/open-database.ts'
import { conflict, notFound, preconditionFailed } from '#platform/failures/failure.ts'
import { findInvited, type InvitationRow } from './store.ts'

/**
 * Refuses an invitation that cannot be used, in the words of the join page, and returns it with what is known of its
 * person.
 */
export async function requireOpen(db: Database, invitation: InvitationRow | null) {
  if (!invitation) throw notFound(noSuchLink)
  const { organization, email } = invitation
  const { isMember, hasKey } = await findInvited(db, organization.id, email)
  if (isMember) throw conflict(`${email} is already a member of ${organization.name}. Sign in to open it`)
  const ended = whyEnded(invitation)
  if (ended) throw preconditionFailed(ended)
  return { ...invitation, hasKey }
}

function whyEnded({ isUsed, isRevoked, hasExpired, inviterMayInvite, invitedBy }: InvitationRow) {
  const ask = `Ask ${inviterMayInvite && invitedBy ? invitedBy : 'an admin'} for a new one`
  if (isUsed) return `This invitation has already been used, and a link works once. ${ask}`
  if (isRevoked) return `This invitation was revoked. ${ask}`
  if (hasExpired) return `This invitation has expired. ${ask}`
  if (!inviterMayInvite)
    return `${invitedBy ?? 'The person who'} sent this invitation${invitedBy ? ' and' : ''} is no longer an admin. ${ask}`
  return null
}
