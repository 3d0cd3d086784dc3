import { z } from 'zod'

/**
 * What the browser and the BFF say to each other; no part of the Experiment Platform API.
 * GET /session · POST /session (sign in with a key) · POST /session/demo (embedded mode only) · DELETE /session ·
 * DELETE /session/everywhere (every session of the same person).
 * Every write, here and below /api/v1, carries `writeHeader` and comes from our own origin.
 */
export const writeHeader = 'x-assay-request'

export const DemoPerson = z.object({ id: z.enum(['admin', 'member']), name: z.string(), email: z.string() })
export type DemoPerson = z.infer<typeof DemoPerson>

/** `demoPeople` is empty unless the platform is embedded and everything is on loopback. */
export const SessionState = z.object({ signedIn: z.boolean(), demoPeople: z.array(DemoPerson) })
export type SessionState = z.infer<typeof SessionState>

export const SignIn = z.object({ apiKey: z.string().trim().min(1).max(500) })
export const DemoSignIn = z.object({ person: DemoPerson.shape.id })
