import { createHash, createHmac } from 'node:crypto'

import type { InstallationKey } from '#platform/context/installation-keys.ts'

/** The token of a publication: whoever holds the installation's key can make it again, the database alone cannot. */
export const tokenOf = (publicationId: string, { key }: InstallationKey) =>
  createHmac('sha256', key).update(publicationId).digest('base64url')

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
