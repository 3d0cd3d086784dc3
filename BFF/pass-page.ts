import type { FastifyReply, FastifyRequest } from 'fastify'

import { type PlatformClient, platformUnavailable } from './platform-client.ts'
import { splitOrganizationPath } from '#contract/organization-path.ts'

const isCreditsPage = (location: string) =>
  location.startsWith('/') && /^\/credits(?=\?|$)/.test(splitOrganizationPath(location).rest)

type Passed = { path: string; headers: Record<string, string | string[] | undefined>; body?: Buffer | undefined }

/** Answers with a page that the platform itself makes, for a route that is independent of sessions. */
export async function passPage(
  platform: PlatformClient,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, headers, body }: Passed,
) {
  const response = await platform
    .requestForVisitor({
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: platform.rootPath(path),
      headers: { ...headers, 'x-request-id': request.id },
      body,
    })
    .catch((error: Error) => {
      request.log.warn({ err: error }, 'platform request failed')
      throw platformUnavailable(error)
    })
  const { location, 'content-type': type, 'content-security-policy': policy } = response.headers
  return reply
    .code(response.statusCode)
    .headers({
      'cache-control': 'no-store',
      // Without a policy, a browser sends the origin `null` for the page's own form.
      'referrer-policy': 'same-origin',
      ...(type && { 'content-type': type }),
      ...(policy && { 'content-security-policy': policy }),
      // Only pages of this app are allowed.
      ...(typeof location === 'string' && isCreditsPage(location) && { location }),
    })
    .send(response.body)
}
