import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * With `__Host-`, the browser itself requires Secure, Path=/ and no Domain. Chromium 156 also accepts it from
 * http://127.0.0.1 and http://localhost (tested); a browser that does not needs a TLS proxy and PUBLIC_URL.
 */
const sessionName = '__Host-assay-session'
const attemptName = '__Host-assay-sign-in'
const sessionAttributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/**
 * Lax, because the return from the identity provider starts on its site. The cookie is valid only for that one sign-in.
 */
const attemptAttributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
const attemptSeconds = 600

function readCookie(request: FastifyRequest, name: string) {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}

export const readSessionId = (request: FastifyRequest) => readCookie(request, sessionName)

/**
 * A session cookie without Max-Age: the browser deletes it when it closes, and the server ends the session by its own
 * clock.
 */
export const setSessionCookie = (reply: FastifyReply, id: string) =>
  reply.header('set-cookie', `${sessionName}=${id}; ${sessionAttributes}`)

export const clearSessionCookie = (reply: FastifyReply) =>
  reply.header('set-cookie', `${sessionName}=; Max-Age=0; ${sessionAttributes}`)

/** Ties a sign-in at the identity provider to the browser that started it. */
export const readAttemptId = (request: FastifyRequest) => readCookie(request, attemptName)

export const setAttemptCookie = (reply: FastifyReply, id: string) =>
  reply.header('set-cookie', `${attemptName}=${id}; Max-Age=${attemptSeconds}; ${attemptAttributes}`)

export const clearAttemptCookie = (reply: FastifyReply) =>
  reply.header('set-cookie', `${attemptName}=; Max-Age=0; ${attemptAttributes}`)
