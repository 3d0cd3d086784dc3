import { createHash, randomBytes } from 'node:crypto'

/** A new API key: 256 random bits, told once and kept only as its hash. */
export const newApiKey = () => `assay_${randomBytes(32).toString('base64url')}`

export const hashApiKey = (key: string) => createHash('sha256').update(key).digest('hex')
