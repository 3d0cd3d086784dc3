import type { Invitation } from '#contract/invitations.ts'
import type { InvitationRow } from './store.ts'

export const toInvitation = ({ id, email, role, invitedBy, createdAt, expiresAt }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  ...(invitedBy !== null && { invitedBy }),
  createdAt,
  expiresAt,
})
