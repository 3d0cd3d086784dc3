import { type Attempts, createAttempts } from '#bff/oidc/attempts.ts'
import { sharedAttempts } from '#bff/oidc/shared-attempts.ts'
import type { BffConfig } from './bff-config.ts'
import { createSessions } from './sessions.ts'
import { sharedSessions } from './shared-sessions.ts'

type InFiles = ReturnType<typeof createSessions>

/** What both stores of sessions do; one of them must wait for its database. */
export type Sessions = {
  [Verb in keyof InFiles]: (
    ...given: Parameters<InFiles[Verb]>
  ) => ReturnType<InFiles[Verb]> | Promise<ReturnType<InFiles[Verb]>>
}

export type SignIns = { sessions: Sessions; attempts: Attempts; close: () => Promise<void> }

/** The sessions and sign-ins in progress: in a database that BFFs share, or in the files and the memory of this one. */
export async function openSessions(config: BffConfig, onFault: (error: unknown) => void): Promise<SignIns> {
  if (!config.sessionsUrl)
    return { sessions: createSessions(config, onFault), attempts: createAttempts(), close: async () => {} }
  // The driver is loaded only where it is needed.
  const { openSessionDatabase } = await import('./session-database.ts')
  const database = openSessionDatabase(config.sessionsUrl, onFault)
  return { sessions: sharedSessions(database, config), attempts: sharedAttempts(database), close: database.close }
}
