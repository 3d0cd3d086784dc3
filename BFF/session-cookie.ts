import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * `__Host-` makes the browser itself insist on Secure, Path=/ and no Domain. Chromium 156 takes it from http://127.0.0.1
 * and http://localhost too (tried); a browser that does not needs TLS in front and PUBLIC_URL.
 */
const name = '__Host-assay-session'
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

export function readSessionId(request: FastifyRequest) {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}

/** A session cookie without Max-Age: closing the browser forgets it, and the server ends the session by its own clock. */
export const setSessionCookie = (reply: FastifyReply, id: string) =>
  reply.header('set-cookie', `${name}=${id}; ${attributes}`)

export const clearSessionCookie = (reply: FastifyReply) =>
  reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
