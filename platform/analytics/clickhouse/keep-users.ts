import { createHmac } from 'node:crypto'

import { unavailable } from '#platform/failures/failure.ts'
import type { InstallationKeys } from '#platform/context/installation-keys.ts'
import { passwordStatement, usernameOf, userStatements } from './access-statements.ts'
import type { Layout } from './layout.ts'
import type { Credentials, Server } from './server.ts'

const accessSeconds = 200

const isOrganizationId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The users of organizations on a server, each made when its organization first asks. */
export type KeptUsers = {
  /** The organization's user, which exists. */
  userOf: (organizationId: string) => Promise<Credentials>
  /** To be called when the server did not know the user, or its password; the next `userOf` makes it anew. */
  renew: (organizationId: string) => Promise<void>
}

/** Nothing keeps a password: it is derived from the newest installation key, alike on every server of the platform. */
const deriveCredentials = (keys: InstallationKeys, organizationId: string): Credentials => ({
  username: usernameOf(organizationId),
  password: createHmac('sha256', keys.current('analytics').key).update(organizationId).digest('base64url'),
})

export function keepUsers(server: Server, layout: Layout, keys: InstallationKeys): KeptUsers {
  const made = new Map<string, Promise<Credentials>>()

  async function make(organizationId: string) {
    if (!isOrganizationId(organizationId)) throw unavailable('This organization cannot have a user in analytics')
    const credentials = deriveCredentials(keys, organizationId)
    for (const sql of userStatements(layout, organizationId, credentials))
      await server.ask({ sql, seconds: accessSeconds })
    return credentials
  }

  function userOf(organizationId: string) {
    const credentials = made.get(organizationId) ?? make(organizationId)
    made.set(organizationId, credentials)
    credentials.catch(() => made.delete(organizationId))
    return credentials
  }

  return {
    userOf,
    async renew(organizationId) {
      made.delete(organizationId)
      const credentials = await userOf(organizationId)
      await server.ask({ sql: passwordStatement(layout, credentials), seconds: accessSeconds })
    },
  }
}
