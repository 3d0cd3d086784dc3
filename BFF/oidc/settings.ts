import { join, resolve } from 'node:path'

import { z } from 'zod'

import { isLoopbackName } from '#server-kit/loopback.ts'

const isTrusted = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

const SealingKey = z
  .string()
  .regex(
    /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i,
    'must be 32 bytes in base64 or hex, as from "openssl rand -base64 32"',
  )
  .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64'))

/** The variables for sign-in through an identity provider. Without OIDC_ISSUER, it is off. */
export const OidcEnvironment = z.object({
  OIDC_ISSUER: z.url().refine(isTrusted, 'must be an https URL').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** The text of the button after "Sign in with". */
  OIDC_NAME: z.string().default('single sign-on'),
  /** Encrypts the API keys of linked people on disk. */
  OIDC_SEALING_KEY: SealingKey.optional(),
  OIDC_PEOPLE_DIR: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
})

export type OidcSettings = {
  issuer: URL
  clientId: string
  clientSecret: string
  name: string
  people: PeopleSettings
}

/** Where linked people are stored. `issuer` is spelled as the provider spells it. */
export type PeopleSettings = { issuer: string; folder: string; sealingKey: Buffer }

/** Returns the settings, or undefined without a provider. Throws if only some of the variables are set. */
export function readOidcSettings(environment: z.output<typeof OidcEnvironment>): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_SEALING_KEY } = environment
  if (!OIDC_ISSUER) return undefined
  if (!OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET || !OIDC_SEALING_KEY)
    throw new Error('OIDC_ISSUER also requires OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_SEALING_KEY')
  const folder = resolve(environment.OIDC_PEOPLE_DIR ?? join(environment.DATA_DIR, 'people'))
  return {
    issuer: new URL(OIDC_ISSUER),
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: environment.OIDC_NAME,
    people: { issuer: OIDC_ISSUER, folder, sealingKey: OIDC_SEALING_KEY },
  }
}
