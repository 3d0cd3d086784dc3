import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * With `__Host-`, the browser itself requires Secure, Path=/ and no Domain. Chromium 156 also accepts it from
 * http://127.0.0.1 and http://localhost (tested); a browser that does not needs a TLS proxy and PUBLIC_URL.
 */
const sessionName = '__Host-assay-session'
const attemptName = '__Host-assay-sign-in'

/**
 * A session cookie without Max-Age: the browser deletes it when it closes, and the server ends the session by its own
 * clock.
 */
const sessionAttributes = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'strict',
} satisfies CookieSerializeOptions

/**
 * Lax, because the return from the identity provider starts on its site. The cookie is valid only for that one sign-in.
 */
const attemptAttributes = { ...sessionAttributes, sameSite: 'lax' } satisfies CookieSerializeOptions
const attemptSeconds = 600

export const readSessionId = ({ cookies }: FastifyRequest) => cookies[sessionName]

export const setSessionCookie = (reply: FastifyReply, id: string) => reply.setCookie(sessionName, id, sessionAttributes)

export const clearSessionCookie = (reply: FastifyReply) => reply.clearCookie(sessionName, sessionAttributes)

/** Ties a sign-in at the identity provider to the browser that started it. */
export const readAttemptId = ({ cookies }: FastifyRequest) => cookies[attemptName]

export const setAttemptCookie = (reply: FastifyReply, id: string) =>
  reply.setCookie(attemptName, id, { ...attemptAttributes, maxAge: attemptSeconds })

export const clearAttemptCookie = (reply: FastifyReply) => reply.clearCookie(attemptName, attemptAttributes)
