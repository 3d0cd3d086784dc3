import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { createAddressLimit } from './address-limit.ts'
import type { Config } from './config.ts'
import { findDemoPeople } from './demo-people.ts'
import type { PlatformClient } from './platform-client.ts'
import { readBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { clearSessionCookie, readSessionId, setSessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import type { SignInMethod } from '#contract/identity.ts'
import { demoIsOffMessage, DemoPerson, DemoSignIn, type SessionState, SignIn } from '#contract/session.ts'

/** `assay_` and what comes after it: people who mistype keys of their own do not hold each other up. */
const prefixLength = 12

export function serveSession(app: FastifyInstance, config: Config, platform: PlatformClient, sessions: Sessions) {
  const failures = createAddressLimit({ allowed: 10, tooMany: 'Too many failed sign-ins with keys like this one' })
  const demo = findDemoPeople(config, platform)

  const stateFor = async (request: FastifyRequest, signedIn: boolean): Promise<SessionState> => {
    const { people, isOff } = await demo(request)
    const demoPeople = people.map((person) => DemoPerson.parse(person))
    return {
      signedIn,
      demoPeople,
      ...(isOff && { demoIsOff: true }),
      ...(config.oidc && { identityProvider: config.oidc.name }),
    }
  }

  const signIn = async (request: FastifyRequest, reply: FastifyReply, apiKey: string, method: SignInMethod) => {
    const person = await platform.findPerson(apiKey, { method, request })
    if (person === null) {
      // Counts wrong keys only: a valid key is never refused, even if somebody guesses from the same address.
      const guesser = `${apiKey.slice(0, prefixLength)} ${request.ip}`
      failures.check(guesser)
      failures.count(guesser)
      throw new Refusal('unauthenticated', 'The platform does not know this API key')
    }
    // A new id for every sign-in: one planted before it is worth nothing after.
    sessions.end(readSessionId(request))
    setSessionCookie(reply, sessions.start({ apiKey, person }))
    return stateFor(request, true)
  }

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  app.get('/session', async (request) => stateFor(request, sessions.findKey(readSessionId(request)) !== undefined))

  app.post('/session', async (request, reply) => signIn(request, reply, readBody(SignIn, request.body).apiKey, 'key'))

  app.post('/session/demo', async (request, reply) => {
    const { person } = readBody(DemoSignIn, request.body)
    const { people, isOff } = await demo(request)
    if (isOff) throw new Refusal('failed_precondition', demoIsOffMessage)
    const found = people.find(({ id }) => id === person)
    if (!found) throw new Refusal('not_found', 'There are no demo people here')
    return signIn(request, reply, found.apiKey, 'demo')
  })

  app.delete('/session', async (request, reply) => {
    sessions.end(readSessionId(request))
    clearSessionCookie(reply)
    return stateFor(request, false)
  })

  app.delete('/session/everywhere', async (request, reply) => {
    sessions.endAllOfPerson(readSessionId(request))
    clearSessionCookie(reply)
    return stateFor(request, false)
  })
}
