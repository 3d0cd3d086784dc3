import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { limitByAddress } from '#bff/address-limit.ts'
import type { BffConfig } from '#bff/bff-config.ts'
import { appOrigin } from '#bff/request-origin.ts'
import { createAttempts } from './attempts.ts'
import { openPeople } from './people.ts'
import { connectProvider } from './provider.ts'
import type { OidcSettings } from './settings.ts'
import { SignInRefusal } from './sign-in-refusal.ts'
import type { PlatformClient } from '#bff/platform-client.ts'
import { readBody } from '#bff/read-body.ts'
import { Refusal } from '#bff/refusal.ts'
import {
  clearAttemptCookie,
  readAttemptId,
  readSessionId,
  setAttemptCookie,
  setSessionCookie,
} from '#bff/session-cookie.ts'
import type { Sessions } from '#bff/sessions.ts'
import { splitOrganizationPath } from '#contract/organization-path.ts'
import { returnPath } from '#contract/return-path.ts'
import { ProviderSignIn, type ProviderSignInStarted, providerCallbackPath } from '#contract/session.ts'

/** Sign-in through an OpenID Connect provider, with the API key that the operator has linked to the person. */
export function serveProviderSignIn(
  app: FastifyInstance,
  settings: OidcSettings,
  config: BffConfig,
  platform: PlatformClient,
  sessions: Sessions,
) {
  const provider = connectProvider(settings)
  const people = openPeople(settings.people)
  const attempts = createAttempts()
  const limitStarts = limitByAddress(app, { max: 30, tooMany: 'Too many sign-in attempts' })
  const callbackUri = (request: FastifyRequest) => appOrigin(request, config) + providerCallbackPath

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  app.post('/session/provider', async (request, reply): Promise<ProviderSignInStarted> => {
    await limitStarts(request)
    const wanted = returnPath(readBody(ProviderSignIn, request.body).returnPath)
    const { url, ...attempt } = await provider.startSignIn(callbackUri(request)).catch((error: unknown) => {
      request.log.warn({ reason: reasonOf(error) }, 'the identity provider is unavailable')
      throw new Refusal('unavailable', `${settings.name} is not responding; try again or sign in with an API key`)
    })
    setAttemptCookie(reply, attempts.start({ ...attempt, returnPath: wanted, earlierSession: readSessionId(request) }))
    return { url }
  })

  app.get(providerCallbackPath, async (request, reply) => {
    const attempt = attempts.consume(readAttemptId(request))
    clearAttemptCookie(reply)
    try {
      if (!attempt) throw new SignInRefusal('expired')
      const response = new URL(callbackUri(request))
      response.search = new URL(request.url, response).search
      const apiKey = await people.findKey(await provider.finish(response, attempt))
      if (apiKey === null) throw new SignInRefusal('unlinked')
      const person = await platform.findPerson(apiKey, { method: 'provider', request })
      if (person === null) throw new SignInRefusal('unlinked')
      // The browser returns from the provider's site without the session cookie, so the attempt recorded the session.
      sessions.end(attempt.earlierSession)
      sessions.end(readSessionId(request))
      setSessionCookie(reply, sessions.start({ apiKey, person }))
      return reply.redirect(attempt.returnPath, 303)
    } catch (error) {
      request.log.warn({ reason: reasonOf(error) }, 'a sign-in through the identity provider was refused')
      return sendBack(reply, error, attempt?.returnPath)
    }
  })
}

function sendBack(reply: FastifyReply, error: unknown, from = '/') {
  const problem = error instanceof SignInRefusal ? error.problem : 'unavailable'
  const { base, rest } = splitOrganizationPath(from)
  const query = new URLSearchParams({ problem, ...(rest !== '/' && { from: rest }) })
  return reply.redirect(`${base}/sign-in?${query}`, 303)
}

/** Returns error names only: the provider's message may contain a code, a token or personal data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const because = error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''
  return (error instanceof SignInRefusal ? error.problem : error.name) + code + because
}
