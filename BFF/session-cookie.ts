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

/** Browsers keep a cookie for 400 days at most. */
const admissionSeconds = 400 * 24 * 60 * 60

/** All ports of a host share their cookies, and each may have a demo of its own. */
const admissionName = ({ headers }: FastifyRequest) =>
  `__Host-assay-demo-${/:(\d+)$/.exec(headers.host ?? '')?.[1] ?? 'default'}`

export const readSessionId = ({ cookies }: FastifyRequest) => cookies[sessionName]

export const setSessionCookie = (reply: FastifyReply, id: string) => reply.setCookie(sessionName, id, sessionAttributes)

export const clearSessionCookie = (reply: FastifyReply) => reply.clearCookie(sessionName, sessionAttributes)

/** Ties a sign-in at the identity provider to the browser that started it. */
export const readAttemptId = ({ cookies }: FastifyRequest) => cookies[attemptName]

export const setAttemptCookie = (reply: FastifyReply, id: string) =>
  reply.setCookie(attemptName, id, { ...attemptAttributes, maxAge: attemptSeconds })

export const clearAttemptCookie = (reply: FastifyReply) => reply.clearCookie(attemptName, attemptAttributes)

/** Says that this browser has opened the demo's link. */
export const readAdmission = (request: FastifyRequest) => request.cookies[admissionName(request)]

export const setAdmissionCookie = (request: FastifyRequest, reply: FastifyReply, admission: string) =>
  reply.setCookie(admissionName(request), admission, { ...sessionAttributes, maxAge: admissionSeconds })
