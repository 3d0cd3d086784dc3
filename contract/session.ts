import { z } from 'zod'

import { ShownName } from './identity.ts'

/**
 * The routes between the browser and the BFF, which are not part of the Experiment Platform API.
 * GET /session · POST /session (sign in with a key) · POST /session/demo-link and POST /session/demo (embedded mode only) · DELETE /session ·
 * DELETE /session/everywhere (every session of the same person) · DELETE /session/others · POST /session/invitation and POST /session/join (for
 * a person with the link of an invitation) ·
 * POST /session/provider (starts a sign-in at the identity provider, which returns the person to
 * `providerCallbackPath`).
 * Every write, here and below /api/v1 and /admin/v1, has `writeHeader` and comes from the app's own origin.
 */
export const writeHeader = 'x-assay-request'

/** Marks a request that the page sends on its own while nobody uses it. Such a request does not extend the session. */
export const backgroundHeader = 'x-assay-background'

/** The path of the platform's OpenAPI document, for the page that shows it. */
export const apiDocumentPath = '/docs/api/openapi.json'

export const DemoPerson = z.object({ id: z.enum(['admin', 'member']), name: z.string(), email: z.string() })
export type DemoPerson = z.infer<typeof DemoPerson>

/**
 * `demoPeople` is empty unless the platform is embedded, everything is on loopback and the browser has opened the demo's
 * link. `identityProvider` is the name of the sign-in provider, if there is one.
 */
export const SessionState = z.object({
  signedIn: z.boolean(),
  demoPeople: z.array(DemoPerson),
  /** Set if the demo people can no longer sign in without a key. */
  demoIsOff: z.boolean().optional(),
  /** Set if there is a demo, and this browser has not opened its link. */
  demoNeedsLink: z.boolean().optional(),
  identityProvider: z.string().optional(),
})
export type SessionState = z.infer<typeof SessionState>

/** How long ago, where and how a session started, for its own person. */
export const OwnSession = z.object({
  /** A hash of the session's id, which the id cannot be derived from. */
  name: z.string(),
  /** The browser, as it calls itself. */
  browser: z.string(),
  /** The network address that signed in. */
  address: z.string(),
  startedAt: z.iso.datetime(),
  /** Accurate to a minute. */
  usedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

/**
 * GET /session/all: the sessions of the person who asks, the last used first. DELETE /session/all/:name ends one.
 * A person has at most 100: a new one ends the oldest.
 */
export const OwnSessions = z.object({ sessions: z.array(OwnSession) })
export type OwnSessions = z.infer<typeof OwnSessions>

/** GET /healthz of the BFF, which needs no session. `platform` says whether the platform responds to the BFF. */
export const ServiceHealth = z.object({ status: z.literal('ok'), platform: z.enum(['ok', 'unavailable']) })
export type ServiceHealth = z.infer<typeof ServiceHealth>

/** Shown on the sign-in page, and the message of a refused demo sign-in. */
export const demoIsOffMessage =
  'The demo sign-in ended when a second organization was created. Sign in with an API key.'

export const SignIn = z.object({ apiKey: z.string().trim().min(1).max(500) })
/**
 * The start of the fragment in the address that `npm start` prints. A fragment is never sent to a server, so the secret
 * after it is in no log and no Referer, and nothing uses it by following the link without running the page.
 */
export const demoLinkHash = '#demo='

/** Shown on the sign-in page, and the message of a refused demo sign-in. */
export const demoNeedsLinkMessage =
  'Open the last address that npm start printed. Each address signs in one browser, which can then return without it.'

/** POST /session/demo-link uses up the secret of the demo's link and sets a cookie that admits this browser from then on. */
export const DemoLink = z.object({ secret: z.string().max(100) })

export const DemoSignIn = z.object({ person: DemoPerson.shape.id })

/** POST /session/invitation shows the invitation of a link. The token is in a body, because addresses are logged. */
export const InvitationToken = z.object({ token: z.string().max(100) })

/** POST /session/join makes a new person a member and returns their key, which the browser then signs in with. */
export const JoinAsNew = InvitationToken.extend({ name: ShownName })

/**
 * `returnPath` is the page to open after signing in. With `invitation`, a person whom nobody has linked yet joins with
 * their verified email address.
 */
export const ProviderSignIn = z.object({
  returnPath: z.string().max(8000).optional(),
  invitation: JoinAsNew.optional(),
})

/** `url` is the sign-in page of the provider. */
export const ProviderSignInStarted = z.object({ url: z.url() })
export type ProviderSignInStarted = z.infer<typeof ProviderSignInStarted>

export const providerCallbackPath = '/session/callback'

/**
 * Why a provider sign-in failed: `expired` is too late or a repeated response, `declined` was refused at the provider,
 * `invalid` is an untrusted response, `unverified` an email that the provider has not verified, `unlinked` a person
 * without a linked key, `unavailable` a service that does not respond, `uninvited` an invitation for another email
 * address, `ended` an invitation that cannot be used.
 */
export const SignInProblem = z.enum([
  'expired',
  'declined',
  'invalid',
  'unverified',
  'unlinked',
  'unavailable',
  'uninvited',
  'ended',
])
export type SignInProblem = z.infer<typeof SignInProblem>
