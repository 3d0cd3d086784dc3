import * as client from 'openid-client'

import { SignInRefusal } from './sign-in-refusal.ts'
import type { Attempt } from './attempts.ts'
import type { OidcSettings } from './settings.ts'

const timeoutSeconds = 10

/**
 * An OpenID Connect provider: authorization code with PKCE, state and nonce. The signature of the ID token is checked
 * too.
 */
export function connectProvider(settings: OidcSettings) {
  let connecting: Promise<client.Configuration> | undefined

  /**
   * Connects on first use, so that the BFF starts while the provider is down. Keeps the connection once the provider
   * answers.
   */
  const connect = () => {
    connecting ??= discover(settings).catch((cause: unknown) => {
      connecting = undefined
      throw new SignInRefusal('unavailable', { cause })
    })
    return connecting
  }

  return {
    async startSignIn(
      redirectUri: string,
    ): Promise<{ url: string } & Pick<Attempt, 'state' | 'nonce' | 'codeVerifier'>> {
      const configuration = await connect()
      const codeVerifier = client.randomPKCECodeVerifier()
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, codeVerifier }
    },

    /**
     * Returns the identity in the provider's response. Throws a SignInRefusal unless the response is complete, fresh
     * and matches the attempt.
     */
    async finish(response: URL, attempt: Attempt) {
      const configuration = await connect()
      const tokens = await client
        .authorizationCodeGrant(configuration, response, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier,
          idTokenExpected: true,
        })
        .catch((cause: unknown) => {
          throw toRefusal(cause)
        })
      const claims = tokens.claims()
      if (!claims) throw new SignInRefusal('invalid')
      // Many providers do not put the email in the ID token.
      const { email, email_verified: isVerified } =
        claims['email'] === undefined ? await userInfo(configuration, tokens.access_token, claims.sub) : claims
      if (typeof email !== 'string' || isVerified !== true) throw new SignInRefusal('unverified')
      return { email, subject: claims.sub }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings) {
  const isLocal = issuer.protocol === 'http:'
  const found = await client.discovery(issuer, clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute: isLocal ? [client.allowInsecureRequests] : [],
  })
  const metadata = found.serverMetadata()
  // A provider that names no method supports Basic.
  const takesBasic = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
  const authentication = takesBasic ? client.ClientSecretBasic(clientSecret) : client.ClientSecretPost(clientSecret)
  const configuration = new client.Configuration(metadata, clientId, clientSecret, authentication)
  configuration.timeout = timeoutSeconds
  client.enableNonRepudiationChecks(configuration)
  if (isLocal) client.allowInsecureRequests(configuration)
  return configuration
}

const userInfo = (configuration: client.Configuration, accessToken: string, subject: string) => {
  if (!configuration.serverMetadata().userinfo_endpoint) throw new SignInRefusal('unverified')
  return client.fetchUserInfo(configuration, accessToken, subject).catch((cause: unknown) => {
    throw toRefusal(cause)
  })
}

/** The provider declined, could not be reached, or sent something invalid. */
function toRefusal(cause: unknown) {
  if (cause instanceof client.AuthorizationResponseError) return new SignInRefusal('declined', { cause })
  const isUnreachable = cause instanceof TypeError || (cause instanceof Error && cause.name === 'TimeoutError')
  return new SignInRefusal(isUnreachable ? 'unavailable' : 'invalid', { cause })
}
