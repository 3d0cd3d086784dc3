import { createHmac } from 'node:crypto'

import { readEmailAddress } from '#contract/wire/email-address.ts'
import type { FastifyRequest } from 'fastify'

import { askAsInvited } from '#bff/invitation-client.ts'
import { type PlatformClient, platformUnavailable } from '#bff/platform-client.ts'
import {
  InvitationView,
  JoinedWithNewKey,
  joinWithNewKey,
  showInvitation,
  verifiedEmailHeader,
  verifiedEmailText,
} from '#contract/invitations.ts'
import type { Invited } from './attempts.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

type Verified = { email: string; sealingKey: Buffer; invited: Invited }

/** Joins the organization of an invitation as the person with this verified address, and returns their new key. */
export async function joinAs(
  platform: PlatformClient,
  request: FastifyRequest,
  { sealingKey, invited, ...by }: Verified,
) {
  const { token } = invited
  const email = readEmailAddress(by.email)
  if (email === null) throw new SignInRefusal('uninvited')
  const proof = {
    [verifiedEmailHeader]: createHmac('sha256', sealingKey).update(verifiedEmailText(token, email)).digest('hex'),
  }
  const invitation = InvitationView.parse(read(await askAsInvited(platform, request, showInvitation, { token }, proof)))
  if (invitation.email !== email) throw new SignInRefusal('uninvited')
  if (invitation.mustSignIn) throw new SignInRefusal('unlinked')
  return JoinedWithNewKey.parse(read(await askAsInvited(platform, request, joinWithNewKey, invited, proof))).key
}

function read({ status, text }: { status: number; text: string }): unknown {
  if (status >= 500) throw platformUnavailable()
  if (status >= 400) throw new SignInRefusal('ended')
  return JSON.parse(text)
}
