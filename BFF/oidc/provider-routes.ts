import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { limitByAddress } from '#bff/address-limit.ts'
import type { BffConfig } from '#bff/bff-config.ts'
import { appOrigin } from '#bff/request-origin.ts'
import type { Attempt } from './attempts.ts'
import { joinAs } from './join-as.ts'
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
import type { SignIns } from '#bff/open-sessions.ts'
import { sessionPlace } from '#bff/session-place.ts'
import { joinPath } from '#contract/invitations.ts'
import { splitOrganizationPath } from '#contract/organization-path.ts'
import { returnPath } from '#contract/return-path.ts'
import { ProviderSignIn, type ProviderSignInStarted, providerCallbackPath } from '#contract/session.ts'

type Identity = { email: string; subject: string }

/** Sign-in through an OpenID Connect provider, with the API key that the operator has linked to the person. */
export function serveProviderSignIn(
  app: FastifyInstance,
  settings: OidcSettings,
  config: BffConfig,
  platform: PlatformClient,
  { sessions, attempts }: SignIns,
) {
  const provider = connectProvider(settings)
  const people = openPeople(settings.people)
  const limitStarts = limitByAddress(app, { max: 30, tooMany: 'Too many sign-in attempts' })
  const callbackUri = (request: FastifyRequest) => appOrigin(request, config) + providerCallbackPath

  const signInWith = async (request: FastifyRequest, apiKey: string | null) => {
    const person = apiKey && (await platform.findPerson(apiKey, { method: 'provider', request }))
    return apiKey && person ? { apiKey, person: person.id } : null
  }

  /** The person's linked key. Someone without one that works joins by their invitation, which gives them the key. */
  const identify = async (request: FastifyRequest, identity: Identity, { invitation, returnPath: page }: Attempt) => {
    const known = await signInWith(request, await people.findKey(identity))
    if (known) return { ...known, page }
    if (!invitation) throw new SignInRefusal('unlinked')
    const { sealingKey } = settings.people
    await people.link(
      identity.email,
      await joinAs(platform, request, { email: identity.email, sealingKey, invited: invitation }),
    )
    const joined = await signInWith(request, await people.findKey(identity))
    if (!joined) throw new SignInRefusal('unlinked')
    return { ...joined, page: '/' }
  }

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  app.post('/session/provider', async (request, reply): Promise<ProviderSignInStarted> => {
    await limitStarts(request)
    const { invitation, ...wanted } = readBody(ProviderSignIn, request.body)
    const { url, ...attempt } = await provider.startSignIn(callbackUri(request)).catch((error: unknown) => {
      request.log.warn({ reason: reasonOf(error) }, 'the identity provider is unavailable')
      throw new Refusal('unavailable', `${settings.name} is not responding; try again or sign in with an API key`)
    })
    const page = returnPath(wanted.returnPath)
    const earlierSession = readSessionId(request)
    setAttemptCookie(reply, await attempts.start({ ...attempt, returnPath: page, invitation, earlierSession }))
    return { url }
  })

  app.get(providerCallbackPath, async (request, reply) => {
    const attempt = await attempts.consume(readAttemptId(request))
    clearAttemptCookie(reply)
    try {
      if (!attempt) throw new SignInRefusal('expired')
      const response = new URL(callbackUri(request))
      response.search = new URL(request.url, response).search
      const { apiKey, person, page } = await identify(request, await provider.finish(response, attempt), attempt)
      // The browser returns from the provider's site without the session cookie, so the attempt recorded the session.
      await sessions.end(attempt.earlierSession)
      await sessions.end(readSessionId(request))
      setSessionCookie(reply, await sessions.start({ apiKey, person }, sessionPlace(request)))
      return reply.redirect(page, 303)
    } catch (error) {
      request.log.warn({ reason: reasonOf(error) }, 'a sign-in through the identity provider was refused')
      return sendBack(reply, error, attempt)
    }
  })
}

function sendBack(reply: FastifyReply, error: unknown, attempt: Attempt | null) {
  const problem = error instanceof SignInRefusal ? error.problem : 'unavailable'
  const from = attempt?.returnPath ?? '/'
  const { pathname, hash } = new URL(from, 'http://localhost')
  // The token of an invitation is in the fragment, and must not become a part of an address that is logged.
  if (pathname === joinPath) {
    return reply.redirect(`${pathname}?${new URLSearchParams({ problem })}${hash}`, 303)
  }
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
