import { createHash, randomBytes } from 'node:crypto'

/** A new token of 256 random bits. It is shown once, in its link; only its hash is stored. */
export const newToken = () => `invite_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
