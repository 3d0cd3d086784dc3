import { z } from 'zod'

/**
 * What the browser and the BFF say to each other; no part of the Experiment Platform API.
 * GET /session · POST /session (sign in with a key) · POST /session/demo (embedded mode only) · DELETE /session ·
 * DELETE /session/everywhere (every session of the same person) ·
 * POST /session/provider (begin to sign in at the identity provider; it sends the person back to `providerCallbackPath`).
 * Every write, here and below /api/v1, carries `writeHeader` and comes from our own origin.
 */
export const writeHeader = 'x-assay-request'

/** Marks a request that the page sends by itself while nobody uses it. Such a request does not extend the session. */
export const backgroundHeader = 'x-assay-background'

/** The platform's description of its API, for the page that shows it. */
export const apiDocumentPath = '/docs/api/openapi.json'

export const DemoPerson = z.object({ id: z.enum(['admin', 'member']), name: z.string(), email: z.string() })
export type DemoPerson = z.infer<typeof DemoPerson>

/**
 * `demoPeople` is empty unless the platform is embedded and everything is on loopback; `identityProvider` is the name of
 * the one people may sign in with.
 */
export const SessionState = z.object({
  signedIn: z.boolean(),
  demoPeople: z.array(DemoPerson),
  /** The demo people can no longer sign in without a key. */
  demoIsOff: z.boolean().optional(),
  identityProvider: z.string().optional(),
})
export type SessionState = z.infer<typeof SessionState>

/** GET /healthz of the BFF, which needs no session: `platform` says whether the platform answers it. */
export const ServiceHealth = z.object({ status: z.literal('ok'), platform: z.enum(['ok', 'unavailable']) })
export type ServiceHealth = z.infer<typeof ServiceHealth>

/** The message on the sign-in page, and in the BFF's refusal of a demo sign-in. */
export const demoIsOffMessage =
  'The demo sign-in ended when a second organization was created. Sign in with an API key.'

export const SignIn = z.object({ apiKey: z.string().trim().min(1).max(500) })
export const DemoSignIn = z.object({ person: DemoPerson.shape.id })

/** `returnPath` is the page to open after signing in. */
export const ProviderSignIn = z.object({ returnPath: z.string().max(8000).optional() })

/** `url` is the provider's page. */
export const ProviderSignInStarted = z.object({ url: z.url() })
export type ProviderSignInStarted = z.infer<typeof ProviderSignInStarted>

export const providerCallbackPath = '/session/callback'

/**
 * Why the provider's answer signed nobody in: too late or sent before; refused there; not an answer we can trust; an email
 * the provider has not verified; a person nobody has linked to a key; something that does not answer.
 */
export const SignInProblem = z.enum(['expired', 'declined', 'invalid', 'unverified', 'unlinked', 'unavailable'])
export type SignInProblem = z.infer<typeof SignInProblem>
