import { createHash, randomBytes } from 'node:crypto'

/** A new API key of 256 random bits. It is shown once; only its hash is stored. */
export const newApiKey = () => `assay_${randomBytes(32).toString('base64url')}`

export const hashApiKey = (key: string) => createHash('sha256').update(key).digest('hex')

/** The part of a key that logs may contain. Undefined for text that is not one of our keys, which may be a password. */
export const keyPrefix = (key: string) => /^assay_[\w-]{6}(?=[\w-]{37}$)/.exec(key)?.[0]
