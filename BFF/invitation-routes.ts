import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { limitByAddress } from './address-limit.ts'
import { askAsInvited } from './invitation-client.ts'
import type { PlatformClient } from './platform-client.ts'
import { readBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { joinWithNewKey, showInvitation } from '#contract/invitations.ts'
import { InvitationToken, JoinAsNew } from '#contract/session.ts'

/** For a person with the link of an invitation, who has no session yet. The platform's answers are sent unchanged. */
export function serveInvitations(app: FastifyInstance, platform: PlatformClient) {
  const limitFailures = limitByAddress(app, { max: 10, tooMany: 'Too many attempts with unusable invitation links' })

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    ...asked: [endpoint: typeof showInvitation | typeof joinWithNewKey, sent: { token: string }]
  ) => {
    const given = await askAsInvited(platform, request, ...asked).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') await limitFailures(request)
      throw error
    })
    if (given.status >= 400 && given.status < 500) await limitFailures(request)
    return reply
      .code(given.status)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(given.text)
  }

  app.post('/session/invitation', (request, reply) =>
    answer(request, reply, showInvitation, readBody(InvitationToken, request.body)),
  )

  app.post('/session/join', (request, reply) =>
    answer(request, reply, joinWithNewKey, readBody(JoinAsNew, request.body)),
  )
}
