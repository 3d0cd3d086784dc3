import type { FastifyRequest } from 'fastify'

import type { Endpoint } from '#contract/endpoint.ts'
import { invitationToken, noSuchLink } from '#contract/invitations.ts'
import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { Refusal } from './refusal.ts'

/** Asks the platform with the token of an invitation in place of a key. Errors: `not_found` for text that is no token. */
export async function askAsInvited(
  platform: PlatformClient,
  request: FastifyRequest,
  { method, base, path }: Endpoint,
  { token, ...body }: { token: string } & Record<string, unknown>,
  proof: Record<string, string> = {},
) {
  if (!invitationToken.test(token)) throw new Refusal('not_found', noSuchLink)
  const answer = await platform
    .requestForVisitor({
      method,
      path: platform.rootPath(base + path),
      headers: {
        ...proof,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': request.ip,
        'x-request-id': request.id,
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    .catch((error: unknown) => {
      throw platformUnavailable(error)
    })
  return { status: answer.statusCode, text: await answer.body.text() }
}
