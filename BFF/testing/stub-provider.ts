import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { onTestFinished } from 'vitest'

type Claims = Record<string, unknown>
type Grant = { nonce: string; challenge: string; redirectUri: string }

const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(claims: Claims, { privateKey } = key) {
  const input = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
}

export const clientId = 'assay'
export const clientSecret = "the client's secret: with/odd+characters%"

/**
 * An identity provider whose responses a test can change: `claims` override those of a valid ID token, `metadata`
 * overrides a valid discovery document, `signWrongly` signs with an unpublished key. It checks PKCE and accepts each
 * code once, like real providers.
 */
export async function startStubProvider() {
  const bent = { claims: {} as Claims, metadata: {} as Claims, userInfo: {} as Claims, signWrongly: false }
  const codes = new Map<string, Grant>()

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') return send(200, { ...discovery(issuer), ...bent.metadata })
    if (pathname === '/jwks')
      return send(200, { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (pathname === '/userinfo') return send(200, { sub: 'subject-of-ada', ...bent.userInfo })
    if (pathname !== '/token') return send(404, {})
    const form = new URLSearchParams(await text(request))
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return send(400, { error: 'invalid_grant' })
    const idToken = signed(
      { ...goodClaims(issuer), nonce: grant.nonce, ...bent.claims },
      bent.signWrongly ? otherKey : key,
    )
    return send(200, { access_token: randomUUID(), token_type: 'bearer', id_token: idToken })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)

  return {
    issuer,
    bent,
    stop,
    /** Does what the provider's page does after the sign-in: returns the redirect with a code. */
    approve(url: string) {
      const params = new URL(url).searchParams
      const code = randomUUID()
      const redirectUri = params.get('redirect_uri') ?? ''
      codes.set(code, { nonce: params.get('nonce') ?? '', challenge: params.get('code_challenge') ?? '', redirectUri })
      return { code, state: params.get('state') ?? '' }
    },
  }
}

const discovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

const goodClaims = (issuer: string) => {
  const now = Math.floor(Date.now() / 1000)
  const email = { email: 'Ada@Lab.example', email_verified: true }
  return { iss: issuer, aud: clientId, sub: 'subject-of-ada', iat: now, exp: now + 300, ...email }
}
